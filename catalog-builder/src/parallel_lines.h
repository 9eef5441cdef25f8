#pragma once
// Reads canonical lines; several threads turn them into values, which come in the order of the file.

#include <cstdint>
#include <deque>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "json_line.h"
#include "line_reader.h"

namespace tonearm::builder {

struct ParsedLine {
  std::uint64_t number = 0;
  std::variant<Line, Fault> line;
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

  /// The next lines, blank ones left out; nothing at the end of the file. Throws Failure where the file cannot be read
  /// further, when all lines before that place have been given.
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
