#pragma once
// Writes the responses of operations: every status with its schema, header fields and examples.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/description/openapi_schemas.h"
#include "api/requests/routes.h"
#include "json/writer.h"

namespace tonearm::api::openapi {

/// Collects what the responses of operations share, so that each part is written once. Not thread-safe.
class Responses {
 public:
  /// Writes the member "responses" of an operation.
  void write(json::Writer& out, const Route& route);
  /// Writes the members "headers", "responses" and "examples" of the components, for all operations written before.
  void write_components(json::Writer& out) const;
  const Types& types() const { return types_; }

 private:
  void write_success(json::Writer& out, const Route& route, int status);
  void write_json_answer(json::Writer& out, const Route& route);
  void write_error(json::Writer& out, const Route& route, int status, const std::vector<ErrorCode>& codes);
  void write_headers(json::Writer& out, const Route& route, int status);

  Types types_;                                // of answers and of their fields
  Types answers_;                              // only of answers
  std::set<ErrorCode> codes_;                  // of all errors
  std::map<std::string, std::string> errors_;  // JSON of error responses by name
  std::set<std::string_view> headers_;
};

}  // namespace tonearm::api::openapi
