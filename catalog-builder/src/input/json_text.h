#pragma once
// Parses JSON text with simdjson, including numbers of any size.

#include <simdjson.h>

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Parses the text. `substitute` returns the JSON to parse instead of a number that fits neither 64 bits nor a double,
/// because simdjson rejects it. The elements are valid until the parser parses again.
simdjson::simdjson_result<simdjson::dom::element> parse_json(simdjson::dom::parser& parser, const std::string& text,
                                                             std::string (*substitute)(std::string_view number));

}  // namespace tonearm::builder
