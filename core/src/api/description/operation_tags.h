#pragma once
// The tags by which the OpenAPI description groups operations.

#include <span>
#include <string_view>

#include "api/requests/routes.h"

namespace tonearm::api {

struct OperationTag {
  std::string_view path;  // a prefix of the operations' paths
  std::string_view name;
  std::string_view description;  // empty: it is in another row of the same name
};

/// The first row whose path matches applies.
extern const std::span<const OperationTag> kOperationTags;

std::string_view tag_of(const Route& route);

}  // namespace tonearm::api
