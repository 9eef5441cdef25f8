#include "text/form.h"

#include <algorithm>
#include <utility>

#include "text/percent.h"
#include "tonearm/http_fields.h"

namespace tonearm::text {

std::optional<FormFields> parse_form(std::string_view form) {
  FormFields fields;
  while (!form.empty()) {
    const auto pair = http_fields::next_element(form, '&');
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto name = decode_query_component(pair.substr(0, equals));
    auto value = decode_query_component(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value || !fields.emplace(*std::move(name), *std::move(value)).second) return std::nullopt;
  }
  return fields;
}

}  // namespace tonearm::text
