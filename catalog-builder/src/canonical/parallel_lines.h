#pragma once
// Reads canonical lines and parses them in several threads, in the order of the file.

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

/// Consecutive lines and their unknown keys.
struct ParsedLines {
  std::vector<ParsedLine> lines;
  KeyCounts unknown_keys;
  std::uint64_t bytes = 0;  // of the file on disk
};

class ParallelLines {
 public:
  /// `evaluation` as in JsonLineParser. Throws Failure if the file cannot be opened.
  ParallelLines(const std::string& path, bool evaluation, std::uint32_t threads);

  /// Returns the next lines, without blank ones; nullopt at the end of the file. If reading fails, returns all lines
  /// before the error first and then throws Failure.
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
