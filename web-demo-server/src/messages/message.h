#pragma once
// What the site reads off requests and puts into answers: cookies, queries, JSON objects, errors. Pure, thread-safe.

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/http.h"

namespace tonearm::web {

/// The parts of a target in origin form.
std::string_view path_of(std::string_view target);
/// Without its `?`.
std::string_view query_of(std::string_view target);

/// The segments of a path between its slashes, decoded; nothing where an escape is broken or a segment is no UTF-8.
std::optional<std::vector<std::string>> segments_of(std::string_view path);

/// The first value of that name in a query, decoded; nothing where it is missing or broken.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

/// The value of a cookie of the request: the first of that name.
std::optional<std::string> cookie(const Headers& headers, std::string_view name);

enum class Transport : std::uint8_t { plain, secure };

/// A cookie for the whole site that no script reads: HttpOnly, SameSite=Lax, and Secure over https (WEB-6).
std::string set_cookie(std::string_view name, std::string_view value, std::int64_t age_s, Transport transport);

Response json_answer(int status, std::string body);

/// `{"error": code, "message": message}`, as the API's errors (ERROR-1); not to be stored.
Response error_answer(int status, std::string_view code, std::string_view message, std::int64_t retry_after_s = 0);

/// An object of JSON that has these members and no others, each a string.
std::optional<boost::json::object> read_strings(std::string_view body, std::initializer_list<std::string_view> names);

/// An object that an answer of the API or of the admin interface holds. Throws std::runtime_error where it holds none.
boost::json::object read_object(std::string_view body);

/// A string member of such an object. Throws std::runtime_error where there is none.
std::string string_of(const boost::json::object& object, std::string_view name);

}  // namespace tonearm::web
