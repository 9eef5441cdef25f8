#pragma once
// Reads values of the server's JSON, which is untrusted: the server may be of another version or another product.
// Values of another type count as absent.

#include <boost/json.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::cli {

/// Parses a body as an object. Throws ServerError for anything else.
boost::json::object read_answer(const std::string& body);

/// Returns the value at a path of names, or nullptr if it is absent or null.
const boost::json::value* find(const boost::json::object& object, std::initializer_list<std::string_view> names);
/// Returns a string verbatim, or a number or boolean as JSON; otherwise an empty text.
std::string text_at(const boost::json::object& object, std::initializer_list<std::string_view> names);
std::optional<bool> bool_at(const boost::json::object& object, std::initializer_list<std::string_view> names);
std::int64_t number_at(const boost::json::object& object, std::initializer_list<std::string_view> names);
/// Returns the objects of an array and skips other items.
std::vector<const boost::json::object*> objects_at(const boost::json::object& object,
                                                   std::initializer_list<std::string_view> names);

/// Whether an object in `text` has two members of one name, of which `value`, parsed from it, has only one. Readers of
/// JSON differ in which one they keep.
bool has_repeated_names(std::string_view text, const boost::json::value& value);

}  // namespace tonearm::cli
