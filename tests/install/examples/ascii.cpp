// Compares and converts ASCII text without a locale.
#include <tonearm/ascii.h>

int main() {
  const bool same = tonearm::ascii::equals_ignoring_case("ETag", "etag");
  const std::string hex = tonearm::ascii::to_hex(std::string_view("\x0f\xa0"));
  return same && hex == "0fa0" && tonearm::ascii::hex_value('F') == 15 ? 0 : 1;
}
