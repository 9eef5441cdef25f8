#pragma once
// Values of the server's JSON, which may be of another version, or of no Tonearm at all: what is not there, or of
// another type, is as good as absent.

#include <boost/json.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::cli {

/// A body as an object. Throws ServerError for anything else.
boost::json::object read_answer(const std::string& body);

/// The value below these names; nullptr: there is none, or null.
const boost::json::value* find(const boost::json::object& object, std::initializer_list<std::string_view> names);
/// A string as it is, a number or a boolean as JSON; empty: none of these.
std::string text_at(const boost::json::object& object, std::initializer_list<std::string_view> names);
std::optional<bool> truth_at(const boost::json::object& object, std::initializer_list<std::string_view> names);
std::int64_t number_at(const boost::json::object& object, std::initializer_list<std::string_view> names);
/// The objects of an array; others are left out.
std::vector<const boost::json::object*> objects_at(const boost::json::object& object,
                                                   std::initializer_list<std::string_view> names);

}  // namespace tonearm::cli
