#pragma once
// The operations of the API as tools. Their schemas come from the OpenAPI description, their texts from the operations.
// Immutable, thread-safe.

#include <boost/json/fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reflection/object_type.h"
#include "reflection/parameters.h"

namespace tonearm::mcp {

/// An operation of the API, as described by its row in `api/routing/routes.cpp`.
struct Operation {
  std::string_view name;  // also the name of the tool
  std::string_view title;
  std::string_view description;  // constant, never from a catalog (MCP-11)
  std::string_view method;
  std::string_view path;  // with {names}
  std::span<const table::Parameter> query{};
  bool takes_body = false;
  const table::ObjectType* answer = nullptr;          // null: not JSON
  const table::ObjectType* minimal_answer = nullptr;  // for `Prefer: return=minimal`; null: none
  bool answers_text = false;                          // instead of JSON or besides it
  bool read_only = false;
  bool idempotent = false;  // repeating a call has no further effect
};

class Tools {
 public:
  /// `description`: the OpenAPI description of the operations. Everything that the operations point to must outlive
  /// this. Throws std::exception if the description lacks an operation.
  Tools(std::vector<Operation> operations, std::string_view description);

  /// The tools as a JSON array, in the order of the operations.
  const std::string& list() const { return list_; }
  /// Returns null if there is no such tool.
  const Operation* find(std::string_view name) const;

 private:
  std::vector<Operation> operations_;
  std::string list_;
};

}  // namespace tonearm::mcp
