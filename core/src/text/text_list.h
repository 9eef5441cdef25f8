#pragma once
// Keeps many short texts, such as ids, in one piece of memory. Const calls are safe from any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::text {

class TextList {
 public:
  void append(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  std::size_t size() const { return ends_.size(); }
  /// The result is valid until the next append. REQUIRES: index < size().
  std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string bytes_;  // the texts one after another
  std::vector<std::size_t> ends_;
};

}  // namespace tonearm::text
