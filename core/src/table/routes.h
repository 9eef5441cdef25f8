#pragma once
// Every route, declared once: what it takes, what it answers, and which errors are typical of it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/bodies.h"
#include "table/parameters.h"
#include "table/types.h"
#include "tonearm/result.h"

namespace tonearm::table {

enum class Surface : std::uint8_t {
  api,    // below /v1/: a key, limits, call records
  open,   // C12: no key
  admin,  // the admin interface: its own address and token (C11)
};

/// One name for each route; the API's dispatch has a function for each.
enum class RouteId : std::uint8_t {
  search,
  meta,
  track,
  similar,
  collections_list,
  collection_create,
  collection_show,
  collection_update,
  collection_delete,
  items_add,
  item_update,
  item_delete,
  order_replace,
  credits,
  collection_similar,
  openapi,
  healthz,
  readyz,
  accounts_list,
  accounts_create,
  account_show,
  account_update,
  account_delete,
  keys_list,
  keys_create,
  key_revoke,
  sessions_create,
  calls,
  usage,
  backup,
};
inline constexpr std::size_t kRouteCount = 30;

enum class NeedsCatalog : std::uint8_t {
  no,
  yes,         // and the answer follows from the catalog and the request alone
  with_state,  // and from what the account holds
};

struct Route {
  RouteId id;
  Surface surface;
  std::string_view method;
  std::string_view path;  // with {names}
  NeedsCatalog needs_catalog;
  std::string_view summary;
  int status;
  const ObjectType* answer;  // null: any object, or no JSON at all
  std::span<const Parameter> query{};
  const BodyType* body = nullptr;       // null: it takes none, and one that is sent is ignored (C6.8)
  std::span<const ErrorCode> errors{};  // beside 401, 405, 429, 500, 503
  int unchanged_status = 0;             // where nothing had to be changed; 0: the same
  /// Media types that the answer can have beside JSON.
  std::span<const std::string_view> text_types{};
};

/// Indexed by RouteId.
extern const std::span<const Route> kRoutes;

const Route& route(RouteId id);

/// The route of a path and method on a surface.
struct RouteMatch {
  const Route* route = nullptr;        // null: no such path, or not with this method
  std::vector<std::string> arguments;  // decoded values of {names}, in order
  std::string_view path;               // the template of the path; empty: no such path
  std::string allow;                   // for 405: what the path takes
};
/// HEAD is answered wherever GET is. `path` is not decoded.
RouteMatch find_route(Surface surface, std::string_view method, std::string_view path);

}  // namespace tonearm::table
