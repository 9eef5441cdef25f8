#pragma once
// Computes how many connections each address of the server may have, from the descriptors of the process. Pure,
// thread-safe.

#include <cstddef>

#include "http/http_limits.h"

namespace tonearm::native {

struct ConnectionLimits {
  HttpLimits api;
  HttpLimits admin;
};

/// The connections that the settings request.
struct RequestedConnections {
  std::size_t connections = 0;             // to the API's address
  std::size_t connections_per_client = 0;  // to the API's address
  std::size_t database_connections = 0;    // that the server opens
};

/// Returns the descriptors that the requested connections need.
std::size_t descriptors_for(const RequestedConnections& requested);

/// Returns the requested limits, or lower ones if `descriptors` do not suffice besides files, database and the admin
/// address (HOST-21). Throws std::runtime_error if too few connections remain.
ConnectionLimits connection_limits(const RequestedConnections& requested, std::size_t descriptors);

}  // namespace tonearm::native
