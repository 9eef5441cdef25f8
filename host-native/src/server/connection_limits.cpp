#include "server/connection_limits.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tonearm::native {
namespace {

constexpr std::size_t kFiles = 64;  // two snapshots, the state and its copies, the log, the I/O threads
constexpr std::size_t kAdminConnections = 64;
constexpr std::size_t kAdminRefusals = 8;
constexpr std::size_t kConnectionsMin = 16;

/// Returns the descriptors that are not for connections of the API. Refusals count twice, because evicted ones stay
/// open for a moment.
std::size_t reserve(const RequestedConnections& requested) {
  return kFiles + requested.database_connections + kAdminConnections + 2 * kAdminRefusals +
         2 * HttpLimits().refusals_max;
}

}  // namespace

std::size_t descriptors_for(const RequestedConnections& requested) {
  return requested.connections + reserve(requested);
}

ConnectionLimits connection_limits(const RequestedConnections& requested, std::size_t descriptors) {
  const auto reserved = reserve(requested);
  if (descriptors < reserved + kConnectionsMin) {
    throw std::runtime_error("the limit of open files is " + std::to_string(descriptors) +
                             "; the server needs at least " + std::to_string(reserved + kConnectionsMin) +
                             " (ulimit -n, LimitNOFILE=)");
  }
  ConnectionLimits limits;
  limits.api.connections_max = std::min(requested.connections, descriptors - reserved);
  limits.api.connections_per_client_max = std::min(requested.connections_per_client, limits.api.connections_max);
  limits.admin.connections_max = kAdminConnections;
  limits.admin.connections_per_client_max = kAdminConnections;
  limits.admin.refusals_max = kAdminRefusals;
  return limits;
}

}  // namespace tonearm::native
