// Implements the clock of the core.
#include <tonearm/ports.h>
#include <chrono>

class SystemClock final : public tonearm::Clock {
 public:
  std::int64_t now_ms() override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  }
};

int main() {
  SystemClock clock;
  return clock.now_ms() > 1'700'000'000'000 ? 0 : 1;
}
