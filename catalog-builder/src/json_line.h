#pragma once
// Reads one canonical line: JSON to typed values, by C10's table. What the values may be is check.h's.

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "line.h"

namespace tonearm::builder {

/// How often each unknown key was met ("bitrate", "tags.era"); they are ignored (C10.1).
using KeyCounts = std::map<std::string, std::uint64_t>;

class JsonLineParser {
 public:
  /// `evaluation`: a line without title, duration or license goes on (C10.2).
  explicit JsonLineParser(bool evaluation);
  ~JsonLineParser();

  /// The text is one JSON object. Adds to `unknown_keys`, whose values are not looked at.
  std::variant<Line, Fault> parse(const std::string& text, KeyCounts& unknown_keys);

 private:
  struct State;
  std::unique_ptr<State> state_;
  bool evaluation_;
};

}  // namespace tonearm::builder
