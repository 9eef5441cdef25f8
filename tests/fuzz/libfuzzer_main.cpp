// The program for libFuzzer. TONEARM_FUZZ_TARGET names the target. With TONEARM_FUZZ_CORPUS, it first writes the
// target's seeds to this folder.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "target.h"

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

void write_seeds(const tonearm::fuzz::Target& target, const std::filesystem::path& folder) {
  if (target.seeds == nullptr) return;
  int number = 0;
  for (const auto& seed : target.seeds())
    std::ofstream(folder / ("seed-" + std::to_string(++number)), std::ios::binary) << seed;
}

const tonearm::fuzz::Target& chosen_target() {
  static const auto* const kTarget = tonearm::fuzz::find_target(variable("TONEARM_FUZZ_TARGET"));
  tonearm::fuzz::require(kTarget != nullptr, "TONEARM_FUZZ_TARGET names no target");
  return *kTarget;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const auto folder = variable("TONEARM_FUZZ_CORPUS");
  if (!folder.empty()) write_seeds(chosen_target(), folder);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen_target().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
