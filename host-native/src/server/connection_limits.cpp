#include "server/connection_limits.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tonearm::native {
namespace {

constexpr std::size_t kFiles = 64;  // the snapshot and the next one, the state and its copies, the log, the loop itself
constexpr std::size_t kAdminConnections = 64;
constexpr std::size_t kAdminRefusals = 8;
constexpr std::size_t kConnectionsMin = 16;

/// What is not for connections of the API. Refusals twice: those that are told to go count until they are gone.
std::size_t reserve(const ConnectionWishes& wishes) {
  return kFiles + wishes.database_connections + kAdminConnections + 2 * kAdminRefusals + 2 * HttpLimits().refusals_max;
}

}  // namespace

std::size_t descriptors_wanted(const ConnectionWishes& wishes) { return wishes.connections + reserve(wishes); }

ConnectionLimits connection_limits(const ConnectionWishes& wishes, std::size_t descriptors) {
  const auto reserved = reserve(wishes);
  if (descriptors < reserved + kConnectionsMin) {
    throw std::runtime_error("the limit of open files is " + std::to_string(descriptors) +
                             "; the server needs at least " + std::to_string(reserved + kConnectionsMin) +
                             " (ulimit -n, LimitNOFILE=)");
  }
  ConnectionLimits limits;
  limits.api.connections_max = std::min(wishes.connections, descriptors - reserved);
  limits.api.connections_per_client_max = std::min(wishes.connections_per_client, limits.api.connections_max);
  limits.admin.connections_max = kAdminConnections;
  limits.admin.connections_per_client_max = kAdminConnections;
  limits.admin.refusals_max = kAdminRefusals;
  return limits;
}

}  // namespace tonearm::native
