#pragma once
// What a command asks the server.

#include <string>
#include <vector>

#include "program/command_table.h"
#include "server/api_client.h"
#include "settings/values.h"

namespace tonearm::cli {

/// The words of the list behind the arguments.
std::vector<std::string> rest_of(const settings::Values& values, const CommandRow& row);

/// One request for each call that the command takes; the answer to the last one is shown. The client is asked where a
/// change has to name a revision. Throws settings::UsageError for values that no server has to judge, ServerError.
std::vector<ApiRequest> requests_of(const CommandRow& row, const settings::Values& values, ApiClient& client);

}  // namespace tonearm::cli
