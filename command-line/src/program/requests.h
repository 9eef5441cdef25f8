#pragma once
// Builds the requests of a command.

#include <string>
#include <vector>

#include "program/command_table.h"
#include "server/api_client.h"
#include "settings/values.h"

namespace tonearm::cli {

/// Returns the words after the arguments.
std::vector<std::string> rest_of(const settings::Values& values, const CommandRow& row);

/// Returns the requests of a command. The answer to the last one is printed. If a change needs a revision, it is
/// fetched through `client`. Throws settings::UsageError for invalid values, ServerError.
std::vector<ApiRequest> requests_of(const CommandRow& row, const settings::Values& values, ApiClient& client);

}  // namespace tonearm::cli
