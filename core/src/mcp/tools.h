#pragma once
// The operations of the API as tools. Their schemas come from the OpenAPI description, their texts from the operations.
// Immutable, thread-safe.

#include <boost/json/fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/message.h"
#include "reflection/body_type.h"
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
  const table::BodyType* body = nullptr;              // null: none
  const table::ObjectType* answer = nullptr;          // null: not JSON
  const table::ObjectType* minimal_answer = nullptr;  // for `Prefer: return=minimal`; null: none
  bool answers_text = false;                          // instead of JSON or besides it
  bool read_only = false;
  bool idempotent = false;  // repeating a call has no further effect
  bool reads_only_catalog = false;

  /// Returns the row of a query parameter, or null.
  const table::Parameter* query_row(std::string_view parameter) const;
  /// Returns whether the API has a path parameter, query parameter or body field of this name.
  bool takes(std::string_view name_in_api) const;
};

/// A page of tracks has so many unless the caller says otherwise: half of the API's default, to save tokens (MCP-9).
inline constexpr int kPageSize = 10;
/// Returns whether the parameter is the size of a page of tracks.
bool is_page_size(const table::Parameter& row);

class Tools {
 public:
  /// `description`: the OpenAPI description of the operations. Everything that the operations point to must outlive
  /// this. Throws std::exception if the description lacks an operation.
  Tools(std::vector<Operation> operations, std::string_view description);

  /// The tools as a JSON array, in the order of the operations, and then the aliases. For clients that may show pages,
  /// with links to the player (MCP-21).
  const std::string& list(Apps apps) const { return apps == Apps::possible ? list_for_apps_ : list_; }
  /// Returns the operation that a tool or an alias calls; null if there is none.
  const Operation* find(std::string_view name) const;

 private:
  std::vector<Operation> operations_;
  std::string list_;
  std::string list_for_apps_;
};

}  // namespace tonearm::mcp
