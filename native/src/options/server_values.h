#pragma once
// The values that settings of several servers have. Each function throws as settings::Values::refuse does.

#include <array>
#include <string>
#include <string_view>

#include "http/http_server.h"
#include "monitoring/log.h"
#include "settings/values.h"

namespace tonearm::native {

/// A file, or a URL that the driver takes. What only looks like a URL may hold a password, so it is not taken for a
/// file, whose name stands in errors and logs.
std::string store_of(const settings::Values& values, std::string_view name);

/// ADDR:PORT
Endpoint endpoint_of(const settings::Values& values, std::string_view name);

/// All items of the settings: --trusted-proxy is the one list that servers have.
AddressBlocks trusted_proxies_of(const settings::Values& values);

/// What --log-format takes, and what it says.
inline constexpr std::array<std::string_view, 2> kLogFormats{"text", "json"};
LogFormat log_format_of(const settings::Values& values);

}  // namespace tonearm::native
