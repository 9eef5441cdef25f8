#include "input/line_reader.h"

#include <algorithm>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kBufferBytes = 1U << 16U;

}  // namespace

LineReader::LineReader(const std::string& path) : bytes_(open_bytes(path)), buffer_(kBufferBytes) {
  line_.reserve(4096);
}

bool LineReader::refill() {
  try {
    begin_ = 0;
    end_ = bytes_->read(buffer_);
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + " (line " + std::to_string(number_) + ")");
  }
  return end_ != 0;
}

bool LineReader::next() {
  line_.clear();
  too_long_ = false;
  ++number_;
  bool any = false;
  while (begin_ < end_ || refill()) {
    any = true;
    const auto* first = buffer_.data() + begin_;
    const auto* last = buffer_.data() + end_;
    const auto* line_end = std::find(first, last, '\n');
    if (!too_long_) line_.append(first, line_end);
    if (line_.size() > kLineBytesMax) {
      too_long_ = true;
      line_.clear();
    }
    begin_ = static_cast<std::size_t>(line_end - buffer_.data());
    if (line_end != last) {
      ++begin_;
      break;
    }
  }
  if (!any) return false;
  if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);
  if (line_.capacity() < line_.size() + kPaddingBytes) line_.reserve(line_.size() + kPaddingBytes);
  return true;
}

}  // namespace tonearm::builder
