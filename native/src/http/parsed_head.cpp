#include "http/parsed_head.h"

#include "http/strict_head.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {

RequestHead parse_head(std::string_view head) {
  constexpr std::size_t kUsualFields = 16;
  const auto line = split_request_line(next_line(head));
  RequestHead request{std::string(line.method), origin_form(line.target), {}};
  request.headers.reserve(kUsualFields);
  for (auto text = next_line(head); !text.empty(); text = next_line(head)) {
    const auto name = text.substr(0, text.find(':'));
    request.headers.push_back({std::string(name), std::string(http_fields::trimmed(text.substr(name.size() + 1)))});
  }
  return request;
}

}  // namespace tonearm::native
