#pragma once
// The operations of the API as tools. Their schemas come from the OpenAPI description, their words from
// the operations. Constant once made, thread-safe.

#include <boost/json/fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reflection/object_type.h"
#include "reflection/parameters.h"

namespace tonearm::mcp {

/// An operation of the API, as its row describes it (`api/routes.h`).
struct Operation {
  std::string_view name;  // of the tool too
  std::string_view title;
  std::string_view description;  // constant: nothing of it comes from a catalog (MCP-11)
  std::string_view method;
  std::string_view path;  // with {names}
  std::span<const table::Parameter> query{};
  bool takes_body = false;
  const table::ObjectType* answer = nullptr;          // null: no JSON
  const table::ObjectType* minimal_answer = nullptr;  // to a client that prefers so; null: none
  bool answers_text = false;                          // beside JSON, or alone
  bool changes_nothing = false;
  bool repeats_well = false;  // a second call alike changes nothing more
};

class Tools {
 public:
  /// `description`: of the API that has the operations, in OpenAPI. What the operations point to outlives this.
  /// Throws std::exception where an operation is not described.
  Tools(std::vector<Operation> operations, std::string_view description);

  /// A JSON array, in the order of the operations.
  const std::string& list() const { return list_; }
  /// Null: there is no such tool.
  const Operation* find(std::string_view name) const;
  std::span<const Operation> operations() const { return operations_; }

 private:
  std::vector<Operation> operations_;
  std::string list_;
};

}  // namespace tonearm::mcp
