// A library for LD_PRELOAD: advances the wall clock of a program by the number of seconds in the file
// TONEARM_TEST_CLOCK, which is read at each call. Without the file, the clock is unchanged. The monotonic clock is not
// affected.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>

namespace {

long seconds_ahead() {
  const char* path = std::getenv("TONEARM_TEST_CLOCK");
  const int descriptor = path == nullptr ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  std::array<char, 32> text{};
  const auto size = read(descriptor, text.data(), text.size() - 1);
  close(descriptor);
  return size > 0 ? std::strtol(text.data(), nullptr, 10) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using ClockGettime = int (*)(clockid_t, timespec*);
  static const auto kSystem = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int status = kSystem(clock, time);
  if (status == 0 && clock == CLOCK_REALTIME) time->tv_sec += seconds_ahead();
  return status;
}
