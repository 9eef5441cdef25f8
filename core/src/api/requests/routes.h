#pragma once
// Every route, one row each: what it takes, who answers it, what it answers, and which errors are typical of it. The
// rows stand in routes.cpp.

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

struct Call;  // api/call.h
using Answer = Result<Response>;

enum class Surface : std::uint8_t {
  api,    // below /v1/: a key, limits, call records
  open,   // SERVICE-5: no key
  admin,  // the admin interface: its own address and token (docs/spec/admin.md)
};

/// What an answer follows from, beside the request.
enum class Needs : std::uint8_t { nothing, state, catalog, catalog_and_state };
constexpr bool needs_catalog(Needs needs) { return needs == Needs::catalog || needs == Needs::catalog_and_state; }

/// Whose state answers where each account has a shard of its own: on the admin surface alone.
enum class Keeper : std::uint8_t { directory, account_shard };

/// The function behind a route, with the parameters and the body that fill what it takes.
struct Handler {
  Answer (*answer)(Call& call) = nullptr;
  const table::ParameterTable* parameters = nullptr;  // null: none
  const table::BodyType* body = nullptr;              // null: it takes none, and one that is sent is ignored (BODY-4)
};

struct Route {
  Surface surface;
  std::string_view method;
  std::string_view path;  // with {names}
  std::string_view summary;
  Handler handler;
  const table::ObjectType* answer = nullptr;  // null: any object, or no JSON at all; with `text_types` these alone
  Needs needs = Needs::nothing;
  std::span<const ErrorCode> errors{};  // beside 401, 405, 429, 500, 503
  int status = 200;
  int unchanged_status = 0;  // where nothing had to be changed; 0: the same
  /// Media types that the answer can have beside JSON.
  std::span<const std::string_view> text_types{};
  Keeper keeper = Keeper::directory;
  /// The answer to `Prefer: return=minimal` (COLLECTION-13); null: there is none.
  const table::ObjectType* minimal_answer = nullptr;
  /// Of the operation, in the description and as a tool (MCP-6): every route of the API has one.
  std::string_view name{};
  /// What it is for and when to take another, in the description and as a tool; empty on the admin surface.
  std::string_view description{};

  /// Whether its answers carry an entity tag (SERVICE-10).
  bool is_conditional() const { return needs == Needs::catalog && method == "GET"; }
  std::span<const table::Parameter> query() const {
    return handler.parameters == nullptr ? std::span<const table::Parameter>{} : handler.parameters->query;
  }
};

/// In the order of the description.
extern const std::span<const Route> kRoutes;

/// The route of a path and method on a surface.
struct RouteMatch {
  const Route* route = nullptr;    // null: no such path, or not with this method
  std::vector<std::string> names;  // decoded values of {names}, in order
  std::string_view path;           // the template of the path; empty: no such path
  std::string allow;               // for 405: what the path takes
};
/// HEAD is answered wherever GET is. `path` is not decoded.
RouteMatch find_route(Surface surface, std::string_view method, std::string_view path);

}  // namespace tonearm::api
