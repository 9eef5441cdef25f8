#pragma once
// The header fields of answers, one row each. The OpenAPI description is written from these rows, and tests compare
// what is sent with it. Fields of the transfer (Content-Length, Date, ...) are not listed.

#include <span>
#include <string_view>

#include "api/requests/routes.h"

namespace tonearm::api {

struct ResponseHeader {
  std::string_view name;
  std::string_view description;
  std::string_view schema;   // JSON
  std::string_view example;  // JSON
  /// Returns whether an answer of the route with this status may have the field.
  bool (*is_sent)(const Route& route, int status);
};

extern const std::span<const ResponseHeader> kResponseHeaders;

}  // namespace tonearm::api
