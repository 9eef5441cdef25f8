#pragma once
// The output of one connection: heads and bodies of responses, in order, as buffers for one gathering write. Bodies are
// not copied. Not thread-safe.

#include <boost/asio/buffer.hpp>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tonearm::native {

class OutputBuffers {
 public:
  /// The number of buffers that Asio passes to one system call.
  static constexpr std::size_t kBuffersMax = 64;
  using Buffers = boost::container::static_vector<boost::asio::const_buffer, kBuffersMax>;

  void add(std::string text) {
    if (text.empty()) return;
    bytes_ += text.size();
    pieces_.push_back({std::move(text), nullptr});
  }
  /// Adds a text that others share.
  void add(std::shared_ptr<const std::string> text) {
    if (text == nullptr || text->empty()) return;
    bytes_ += text->size();
    pieces_.push_back({{}, std::move(text)});
  }

  bool is_empty() const { return pieces_.empty(); }
  std::size_t bytes() const { return bytes_; }

  /// Returns the first buffers. They are valid until `consume` or `add`.
  Buffers front() const {
    Buffers buffers;
    std::size_t skipped = consumed_;
    for (auto piece = pieces_.begin(); piece != pieces_.end() && buffers.size() < kBuffersMax; ++piece) {
      buffers.push_back(boost::asio::buffer(piece->view().substr(skipped)));
      skipped = 0;
    }
    return buffers;
  }

  /// Removes bytes that were written.
  void consume(std::size_t bytes) {
    bytes_ -= bytes;
    consumed_ += bytes;
    while (!pieces_.empty() && consumed_ >= pieces_.front().view().size()) {
      consumed_ -= pieces_.front().view().size();
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
  std::size_t consumed_ = 0;  // of the first piece
  std::size_t bytes_ = 0;     // that remain
};

}  // namespace tonearm::native
