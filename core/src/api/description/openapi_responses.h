#pragma once
// What operations answer: every status with its schema, its header fields and an example.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/description/openapi_schemas.h"
#include "api/requests/routes.h"
#include "json/writer.h"

namespace tonearm::api::openapi {

/// Collects what the responses of operations have in common, so that each stands once. Not thread-safe.
class Responses {
 public:
  /// A member "responses".
  void write(json::Writer& out, const Route& route);
  /// Members of the components, for all that was written: "headers", "responses" and "examples".
  void write_components(json::Writer& out) const;
  const Types& types() const { return types_; }

 private:
  void write_success(json::Writer& out, const Route& route, int status);
  void write_json_answer(json::Writer& out, const Route& route);
  void write_error(json::Writer& out, const Route& route, int status, const std::vector<ErrorCode>& codes);
  void write_headers(json::Writer& out, const Route& route, int status);

  Types types_;                                // of answers, with those of their fields
  Types answers_;                              // of answers themselves
  std::set<ErrorCode> codes_;                  // of all errors
  std::map<std::string, std::string> errors_;  // responses by their names, as JSON
  std::set<std::string_view> headers_;
};

}  // namespace tonearm::api::openapi
