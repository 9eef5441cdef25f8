#pragma once
// Formats answers of the API for people.

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/screen.h"

namespace tonearm::cli {

/// The shape of an answer.
enum class Shape : std::uint8_t {
  tracks,
  track,
  filters,
  usage,
  collections,
  collection,
  changes,
  credits,
  receipts,
  release_log,
  fields
};

/// Returns whether a command with this output needs no server.
constexpr bool is_offline(Shape shape) { return shape == Shape::receipts || shape == Shape::release_log; }

struct Listing {
  std::string data;   // for stdout
  std::string notes;  // for stderr: totals and the cursor of the next page
};

/// Returns a text as one line of notes.
std::string note(std::string_view text);

/// Formats a time as "1:02:05".
std::string clock_text(double seconds);

/// Formats an answer as a table or a page.
Listing format_answer(const boost::json::object& answer, Shape shape, const Screen& screen);

}  // namespace tonearm::cli
