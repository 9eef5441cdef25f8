#pragma once
// Reads one canonical line: JSON to typed values, by the table of LINE-2. check.h decides what the values may be.

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "canonical/line.h"

namespace tonearm::builder {

/// How often each unknown key was met ("bitrate", "tags.era"); they are ignored (LINE-5).
using KeyCounts = std::map<std::string, std::uint64_t>;

class JsonLineParser {
 public:
  /// `evaluation`: a line without title, duration or license goes on (BUILD-3).
  explicit JsonLineParser(bool evaluation);
  ~JsonLineParser();

  /// The text is one JSON object. Adds to `unknown_keys`, whose values are not looked at.
  std::variant<Line, Rejection> parse(const std::string& text, KeyCounts& unknown_keys);

 private:
  struct State;
  std::unique_ptr<State> state_;
  bool evaluation_;
};

}  // namespace tonearm::builder
