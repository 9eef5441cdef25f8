#pragma once
// How many connections each address of the server may have, for the descriptors that the process has. Pure,
// thread-safe.

#include <cstddef>

#include "http/http_limits.h"

namespace tonearm::native {

struct ConnectionLimits {
  HttpLimits api;
  HttpLimits admin;
};

/// What the settings ask for.
struct ConnectionWishes {
  std::size_t connections = 0;             // of the API's address
  std::size_t connections_per_client = 0;  // likewise
  std::size_t database_connections = 0;    // that the server may open itself
};

/// The descriptors for all that is wished.
std::size_t descriptors_wanted(const ConnectionWishes& wishes);

/// HOST-21: as many connections as are wished, or as `descriptors` allow besides files, database and the admin address.
/// Throws std::runtime_error where that is too few to be of use.
ConnectionLimits connection_limits(const ConnectionWishes& wishes, std::size_t descriptors);

}  // namespace tonearm::native
