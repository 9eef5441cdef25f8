#pragma once
// All routes, one row each: parameters and body, the function that answers, the answer's type, and typical errors. The
// rows are in routing/routes.cpp.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reflection/object_type.h"
#include "reflection/parameters.h"
#include "table/bodies.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

struct Call;  // api/requests/call.h
using Answer = Result<Response>;

enum class Surface : std::uint8_t {
  api,    // below /v1/: a key, limits, call records
  open,   // SERVICE-5: no key
  admin,  // the admin interface: its own address and token (docs/spec/admin.md)
};

/// What an answer depends on, beside the request.
enum class Needs : std::uint8_t { nothing, state, catalog, catalog_and_state };
constexpr bool needs_catalog(Needs needs) { return needs == Needs::catalog || needs == Needs::catalog_and_state; }

/// On hosts with a shard for each account: which state answers a route of the admin surface.
enum class StateOwner : std::uint8_t { directory, account_shard };

/// A route's function, and the parameters and body that fill its arguments.
struct Handler {
  Answer (*answer)(Call& call) = nullptr;
  const table::ParameterTable* parameters = nullptr;  // null: none
  const table::BodyType* body = nullptr;              // null: none; a body that is sent is ignored (BODY-4)
};

struct Route {
  Surface surface;
  std::string_view method;
  std::string_view path;  // with {names}
  std::string_view summary;
  Handler handler;
  const table::ObjectType* answer = nullptr;  // null: any object, or, with `text_types`, no JSON
  Needs needs = Needs::nothing;
  std::span<const ErrorCode> errors{};  // beside 401, 405, 429, 500, 503
  int status = 200;
  int unchanged_status = 0;  // the status if nothing was changed; 0: the same as `status`
  /// Media types of the answer beside JSON.
  std::span<const std::string_view> text_types{};
  /// The types of the lines of JSON Lines, in their order.
  std::span<const table::ObjectType* const> line_types{};
  StateOwner state_owner = StateOwner::directory;
  /// The answer to `Prefer: return=minimal` (COLLECTION-13); null: none.
  const table::ObjectType* minimal_answer = nullptr;
  /// The operation's name in OpenAPI and as an MCP tool (MCP-6). Every route of the API has one.
  std::string_view name{};
  /// The description in OpenAPI and as an MCP tool; empty on the admin surface.
  std::string_view description{};

  bool is_tool = true;  // of MCP, if it is on the API's surface
  /// Whether the answer of an admin read contains a secret or copies state, so that each call is audited (ADMIN-7).
  bool is_sensitive = false;

  /// Returns whether answers have an entity tag (SERVICE-10).
  bool is_conditional() const { return needs == Needs::catalog && method == "GET"; }
  std::span<const table::Parameter> query() const {
    return handler.parameters == nullptr ? std::span<const table::Parameter>{} : handler.parameters->query;
  }
};

/// In the order of the OpenAPI description.
extern const std::span<const Route> kRoutes;

struct RouteMatch {
  const Route* route = nullptr;          // null: the path is unknown, or does not support the method
  std::vector<std::string> path_values;  // decoded values of {names}, in order
  std::string_view path;                 // the template of the path; empty: the path is unknown
  std::string allow;                     // for 405: the methods that the path supports
};
/// Finds the route of a method and path on a surface. HEAD matches routes of GET. `path` is not decoded.
RouteMatch find_route(Surface surface, std::string_view method, std::string_view path);

}  // namespace tonearm::api
