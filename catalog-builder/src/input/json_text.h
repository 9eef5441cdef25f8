#pragma once
// JSON text to simdjson's values, numbers of any size included.

#include <simdjson.h>

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Parses the text. JSON's numbers have no bounds, simdjson's have: for one that neither 64 bits nor a double can hold,
/// `stand_in` gives the JSON that is read in its place. The elements live as long as the parser parses nothing else.
simdjson::simdjson_result<simdjson::dom::element> parse_json(simdjson::dom::parser& parser, const std::string& text,
                                                             std::string (*stand_in)(std::string_view number));

}  // namespace tonearm::builder
