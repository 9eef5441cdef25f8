#pragma once
// The tags under which the OpenAPI description groups operations.

#include <span>
#include <string_view>

#include "api/requests/routes.h"

namespace tonearm::api {

struct OperationTag {
  std::string_view path;  // how the paths of its operations begin
  std::string_view name;
  std::string_view description;  // empty: another row of the name has it
};

/// The first whose path fits holds.
extern const std::span<const OperationTag> kOperationTags;

std::string_view tag_of(const Route& route);

}  // namespace tonearm::api
