#pragma once
// Answers of the API as people read them.

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/screen.h"

namespace tonearm::cli {

/// What an answer is.
enum class Shape : std::uint8_t { tracks, track, filters, usage, collections, collection, changes, credits, fields };

struct Listing {
  std::string data;   // for stdout
  std::string notes;  // for stderr: totals, how to get the next page
};

/// A text as one line of notes.
std::string note(std::string_view text);

Listing listing(const boost::json::object& answer, Shape shape, const Screen& screen);

}  // namespace tonearm::cli
