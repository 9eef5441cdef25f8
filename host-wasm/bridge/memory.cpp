// memcpy, memmove and memset with the engine's bulk instructions. The versions of the C library copy a few bytes at a
// time.

#include <cstddef>
#include <cstdint>

extern "C" {

// Below this size, a loop is faster than the engine's instruction.
static constexpr std::size_t kShort = 24;

void* memcpy(void* out, const void* from, std::size_t size) {
  if (size > kShort) return __builtin_memcpy(out, from, size);
  auto* to = static_cast<char*>(out);
  const auto* at = static_cast<const char*>(from);
  for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
    __builtin_memcpy(to, at, sizeof(std::uint64_t));
    to += sizeof(std::uint64_t);
    at += sizeof(std::uint64_t);
  }
  for (; size > 0; --size) *to++ = *at++;
  return out;
}

void* memmove(void* out, const void* from, std::size_t size) { return __builtin_memmove(out, from, size); }

void* memset(void* out, int byte, std::size_t size) { return __builtin_memset(out, byte, size); }
}
