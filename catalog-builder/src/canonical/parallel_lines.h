#pragma once
// Reads canonical lines. Several threads parse them; the values come in the order of the file.

#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "canonical/json_line.h"
#include "input/line_reader.h"

namespace tonearm::builder {

struct ParsedLine {
  std::uint64_t number = 0;
  std::variant<Line, Rejection> line;
};

/// Some lines in a row, and what was met in them.
struct ParsedLines {
  std::vector<ParsedLine> lines;
  KeyCounts unknown_keys;
  std::uint64_t bytes = 0;  // of the file as it lies on the disk
};

class ParallelLines {
 public:
  /// `evaluation` as in JsonLineParser. Throws Failure when the file cannot be opened.
  ParallelLines(const std::string& path, bool evaluation, std::uint32_t threads);

  /// The next lines, without blank ones; nothing at the end of the file. If the file cannot be read further, throws
  /// Failure once all lines before that were given.
  std::optional<ParsedLines> next();

 private:
  struct Batch;
  void read_batch();

  LineReader reader_;
  bool evaluation_;
  std::uint32_t threads_;
  bool at_end_ = false;
  std::exception_ptr failure_;
  std::deque<std::future<ParsedLines>> parsing_;
};

}  // namespace tonearm::builder
