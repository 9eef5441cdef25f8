#include "tonearm/http.h"

#include "tonearm/ascii.h"

namespace tonearm {

bool is_named(const Header& header, std::string_view name) { return ascii::equals_ignoring_case(header.name, name); }

const std::string* find_header(const Headers& headers, std::string_view name) {
  for (const Header& header : headers) {
    if (is_named(header, name)) return &header.value;
  }
  return nullptr;
}

}  // namespace tonearm
