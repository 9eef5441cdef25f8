#include "server/connection_limits.h"

#include <doctest/doctest.h>

namespace tonearm::native {

// HOST-21
TEST_CASE("Connections are limited by the descriptors that files, database and admin address leave free") {
  const RequestedConnections requested{10'000, 256, 17};
  const auto wanted = descriptors_for(requested);
  CHECK(connection_limits(requested, wanted).api.connections_max == 10'000);
  CHECK(connection_limits(requested, wanted + 1'000).api.connections_max == 10'000);
  CHECK(connection_limits(requested, wanted - 1).api.connections_max == 9'999);
  const auto few = connection_limits(requested, 1'024);
  const auto sockets = few.api.connections_max + 2 * few.api.refusals_max + few.admin.connections_max +
                       2 * few.admin.refusals_max + requested.database_connections;
  CHECK(few.api.connections_max >= 512);
  CHECK(sockets + 64 <= 1'024);
  CHECK(few.api.connections_per_client_max == 256);
  CHECK(few.admin.connections_max > 0);
}

// HOST-21
TEST_CASE("An error names a descriptor limit that is too low") {
  const RequestedConnections requested{10'000, 256, 0};
  CHECK_THROWS_WITH(connection_limits(requested, 100), doctest::Contains("the limit of open files is 100;"));
  CHECK(connection_limits({20, 256, 0}, descriptors_for({20, 256, 0})).api.connections_per_client_max == 20);
}

}  // namespace tonearm::native
