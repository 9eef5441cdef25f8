#pragma once
// The header fields of answers that clients can use, one row each: the OpenAPI description names them by these rows,
// and tests hold what is sent against it. What belongs to the transfer (Content-Length, Date, ...) is HTTP's own.

#include <span>
#include <string_view>

#include "api/requests/routes.h"

namespace tonearm::api {

struct ResponseHeader {
  std::string_view name;
  std::string_view description;
  std::string_view schema;   // JSON
  std::string_view example;  // JSON
  /// Whether an answer of the route with this status can carry it.
  bool (*is_sent)(const Route& route, int status);
};

extern const std::span<const ResponseHeader> kResponseHeaders;

}  // namespace tonearm::api
