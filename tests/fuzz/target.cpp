#include "target.h"

#include <array>
#include <cstdlib>
#include <iostream>

#include "scratch_folder.h"

namespace tonearm::fuzz {
namespace {

constexpr std::array<const Target*, 14> kTargets{&kAudio,     &kBody,      &kBridge,   &kCredits, &kCursor,
                                                 &kDocuments, &kFileNames, &kHttp,     &kLine,    &kMcp,
                                                 &kQuery,     &kRows,      &kSnapshot, &kToml};

const test::ScratchFolder& scratch() {
  static const test::ScratchFolder kFolder;
  return kFolder;
}

}  // namespace

std::span<const Target* const> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  for (const Target* target : kTargets) {
    if (target->name == name) return target;
  }
  return nullptr;
}

void expect(bool condition, std::string_view message) {
  if (condition) return;
  std::cerr << "fuzz: broken expectation: " << message << std::endl;
  std::abort();
}

unsigned take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<unsigned char>(input.front());
  input.remove_prefix(1);
  return byte;
}

std::string write_scratch(const std::string& name, std::string_view bytes) {
  return scratch().write(name, std::string(bytes));
}

std::string read_scratch(const std::string& name) { return scratch().read(name); }

}  // namespace tonearm::fuzz
