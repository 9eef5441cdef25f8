#pragma once
// Parses requests and builds responses: cookies, queries, JSON objects, errors. Pure, thread-safe.

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/http.h"

namespace tonearm::web {

/// The path and the query of a request target in origin form.
std::string_view path_of(std::string_view target);
/// Does not include the `?`.
std::string_view query_of(std::string_view target);

/// Splits a path at its slashes and decodes the segments. Returns nothing if an escape or its UTF-8 is invalid.
std::optional<std::vector<std::string>> segments_of(std::string_view path);

/// Returns the value of the first cookie of that name.
std::optional<std::string> cookie(const Headers& headers, std::string_view name);

enum class Transport : std::uint8_t { plain, secure };

/// Returns a Set-Cookie value for the whole site: HttpOnly, SameSite=Lax, and Secure over https (WEB-6).
std::string set_cookie(std::string_view name, std::string_view value, std::int64_t age_s, Transport transport);

Response json_answer(int status, std::string body);

/// `{"error": code, "message": message}` like the API's errors (ERROR-1), with `Cache-Control: no-store`.
Response error_answer(int status, std::string_view code, std::string_view message, std::int64_t retry_after_s = 0);

/// 405 with `Allow`, unless `allowed` is empty.
Response method_not_allowed(std::string_view allowed = {});

/// Parses a JSON object that has exactly these members, all of them strings.
std::optional<boost::json::object> read_strings(std::string_view body, std::initializer_list<std::string_view> names);

/// Parses a response of the API or of the admin interface. Throws std::runtime_error if it is not a JSON object.
boost::json::object read_object(std::string_view body);

/// Returns a string member. Throws std::runtime_error if it is missing or not a string.
std::string string_of(const boost::json::object& object, std::string_view name);

}  // namespace tonearm::web
