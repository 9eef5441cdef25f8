#pragma once
// Parses a canonical line from JSON to typed values, by the table of LINE-2. check.h checks the values.

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "canonical/line.h"

namespace tonearm::builder {

/// The number of occurrences of each unknown key ("bitrate", "tags.era"), which is ignored (LINE-5).
using KeyCounts = std::map<std::string, std::uint64_t>;

class JsonLineParser {
 public:
  /// `evaluation`: accepts lines without title, duration or license (BUILD-3).
  explicit JsonLineParser(bool evaluation);
  ~JsonLineParser();

  /// Parses one JSON object. Counts unknown keys, whose values are ignored.
  std::variant<Line, Rejection> parse(const std::string& text, KeyCounts& unknown_keys);

 private:
  struct State;
  std::unique_ptr<State> state_;
  bool evaluation_;
};

}  // namespace tonearm::builder
