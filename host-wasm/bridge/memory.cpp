// memcpy, memmove and memset with the engine's bulk instructions. The versions of the C library copy a few bytes at a
// time.

#include <cstddef>
#include <cstdint>

namespace {

// Short copies are faster by loads and stores than by the engine's instruction, which calls a function. Ranges that may
// overlap must be loaded whole before the first store.
constexpr std::size_t kShort = 24;
constexpr std::size_t kShortOverlapping = 2 * sizeof(std::uint64_t);

/// Copies the first and the last bytes, as many each as a `Word` has. All are loaded before the first is stored.
/// REQUIRES: sizeof(Word) <= size <= 2 * sizeof(Word).
template <class Word>
void copy_ends(char* to, const char* from, std::size_t size) {
  Word first;
  Word last;
  __builtin_memcpy(&first, from, sizeof first);
  __builtin_memcpy(&last, from + size - sizeof last, sizeof last);
  __builtin_memcpy(to, &first, sizeof first);
  __builtin_memcpy(to + size - sizeof last, &last, sizeof last);
}

/// REQUIRES: size <= kShortOverlapping. The ranges may overlap.
void copy_short(char* to, const char* from, std::size_t size) {
  if (size >= sizeof(std::uint64_t)) return copy_ends<std::uint64_t>(to, from, size);
  if (size >= sizeof(std::uint32_t)) return copy_ends<std::uint32_t>(to, from, size);
  if (size >= sizeof(std::uint16_t)) return copy_ends<std::uint16_t>(to, from, size);
  if (size == 1) *to = *from;
}

}  // namespace

extern "C" {

void* memcpy(void* out, const void* from, std::size_t size) {
  if (size > kShort) return __builtin_memcpy(out, from, size);
  auto* to = static_cast<char*>(out);
  const auto* at = static_cast<const char*>(from);
  for (; size > kShortOverlapping; size -= sizeof(std::uint64_t)) {
    __builtin_memcpy(to, at, sizeof(std::uint64_t));
    to += sizeof(std::uint64_t);
    at += sizeof(std::uint64_t);
  }
  copy_short(to, at, size);
  return out;
}

void* memmove(void* out, const void* from, std::size_t size) {
  if (size > kShortOverlapping) return __builtin_memmove(out, from, size);
  copy_short(static_cast<char*>(out), static_cast<const char*>(from), size);
  return out;
}

void* memset(void* out, int byte, std::size_t size) { return __builtin_memset(out, byte, size); }
}
