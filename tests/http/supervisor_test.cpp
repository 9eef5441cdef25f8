#include "supervision/supervisor.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "scratch_folder.h"

namespace tonearm::native {

TEST_CASE("a supervisor is notified of the state of the server (HOST-32)") {
  notify_ready();  // there is none
  const test::ScratchFolder folder;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = folder.path("notify");
  path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
  const int manager = socket(AF_UNIX, SOCK_DGRAM, 0);
  REQUIRE(bind(manager, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  setenv("NOTIFY_SOCKET", path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): no other thread runs
  notify_ready();
  notify_reloading();
  notify_stopping();
  unsetenv("NOTIFY_SOCKET");  // NOLINT(concurrency-mt-unsafe)
  for (const std::string_view told : {"READY=1", "RELOADING=1", "STOPPING=1"}) {
    std::array<char, 64> buffer{};
    const auto size = recv(manager, buffer.data(), buffer.size(), 0);
    REQUIRE(size > 0);
    CHECK(std::string_view(buffer.data(), static_cast<std::size_t>(size)) == told);
  }
  close(manager);
}

}  // namespace tonearm::native
