#include "canonical/parallel_lines.h"

#include <utility>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

/// The size of a batch for one thread: large enough to make the cost of starting it negligible, and bounded in memory.
constexpr std::size_t kBatchLines = 1024;
constexpr std::size_t kBatchBytes = 4U << 20U;

}  // namespace

/// Lines before parsing.
struct ParallelLines::Batch {
  struct RawLine {
    std::uint64_t number = 0;
    std::optional<std::string> text;  // nullopt: too long
  };
  std::vector<RawLine> lines;
  std::uint64_t bytes = 0;

  ParsedLines parse(bool evaluation) const {
    ParsedLines result;
    result.bytes = bytes;
    result.lines.reserve(lines.size());
    JsonLineParser parser(evaluation);
    for (const auto& line : lines) {
      result.lines.push_back(
          {line.number, line.text ? parser.parse(*line.text, result.unknown_keys)
                                  : Rejection{Reason::line_too_long, "the line is longer than 1 MiB", {}}});
    }
    return result;
  }
};

ParallelLines::ParallelLines(const std::string& path, bool evaluation, std::uint32_t threads)
    : reader_(path), evaluation_(evaluation), threads_(threads) {}

void ParallelLines::read_batch() {
  Batch batch;
  const auto began_at = reader_.compressed_bytes();
  try {
    for (std::size_t bytes = 0; batch.lines.size() < kBatchLines && bytes < kBatchBytes;) {
      if (!reader_.next()) {
        at_end_ = true;
        break;
      }
      if (reader_.too_long()) {
        batch.lines.push_back({reader_.number(), std::nullopt});
      } else if (reader_.line().find_first_not_of(" \t\r") != std::string::npos) {
        auto& text = batch.lines.emplace_back(Batch::RawLine{reader_.number(), std::string()}).text;
        text->reserve(reader_.line().size() + LineReader::kPaddingBytes);
        *text = reader_.line();
        bytes += text->size();
      }
    }
  } catch (const Failure&) {
    failure_ = std::current_exception();
    at_end_ = true;
  }
  batch.bytes = reader_.compressed_bytes() - began_at;
  parsing_.push_back(std::async(
      std::launch::async, [batch = std::move(batch), evaluation = evaluation_] { return batch.parse(evaluation); }));
}

std::optional<ParsedLines> ParallelLines::next() {
  while (!at_end_ && parsing_.size() < threads_) read_batch();
  if (parsing_.empty()) {
    if (failure_) std::rethrow_exception(failure_);
    return std::nullopt;
  }
  auto parsed = parsing_.front().get();
  parsing_.pop_front();
  return parsed;
}

}  // namespace tonearm::builder
