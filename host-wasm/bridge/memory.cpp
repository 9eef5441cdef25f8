// memcpy, memmove and memset for the C library. Its own copy a few bytes at a time; the engine's instructions copy long
// pieces at once.

#include <cstddef>
#include <cstdint>

extern "C" {

// Short pieces cost less than the engine's call.
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
