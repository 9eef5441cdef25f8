#pragma once
// Answers on their way to one connection, in order: their heads and bodies as buffers for one write, without a copy.
// Not to be shared between threads.

#include <array>
#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tonearm::native {

class GatheredAnswers {
 public:
  /// As many buffers as asio gives to one call of the system.
  static constexpr std::size_t kBuffersMax = 64;
  using Buffers = std::array<boost::asio::const_buffer, kBuffersMax>;

  void add(std::string text) {
    if (text.empty()) return;
    bytes_ += text.size();
    pieces_.push_back({std::move(text), nullptr});
  }
  /// Of a text that others hold, too.
  void add(std::shared_ptr<const std::string> text) {
    if (text == nullptr || text->empty()) return;
    bytes_ += text->size();
    pieces_.push_back({{}, std::move(text)});
  }

  bool is_empty() const { return pieces_.empty(); }
  std::size_t bytes() const { return bytes_; }
  std::size_t pieces() const { return pieces_.size(); }

  /// The front of what is left; the same until `consume` or `add`. What is not used of it is empty.
  Buffers front() const {
    Buffers buffers;
    std::size_t skipped = taken_;
    auto piece = pieces_.begin();
    for (auto at = buffers.begin(); at != buffers.end() && piece != pieces_.end(); ++at, ++piece) {
      *at = boost::asio::buffer(piece->view().substr(skipped));
      skipped = 0;
    }
    return buffers;
  }

  /// So many bytes were written.
  void consume(std::size_t bytes) {
    bytes_ -= bytes;
    taken_ += bytes;
    while (!pieces_.empty() && taken_ >= pieces_.front().view().size()) {
      taken_ -= pieces_.front().view().size();
      pieces_.pop_front();
    }
  }

 private:
  struct Piece {
    std::string own;
    std::shared_ptr<const std::string> shared;
    std::string_view view() const { return shared == nullptr ? std::string_view(own) : *shared; }
  };

  std::deque<Piece> pieces_;
  std::size_t taken_ = 0;  // of the first piece
  std::size_t bytes_ = 0;  // left
};

}  // namespace tonearm::native
