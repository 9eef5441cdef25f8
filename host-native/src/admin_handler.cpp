#include "admin_handler.h"

#include "request_head.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";

Response metrics_refusal(const Headers& headers) {
  if (find_header(headers, "Authorization") == nullptr) {
    return error_response({ErrorCode::missing_api_key, "The metrics need the token of the admin interface."});
  }
  return error_response({ErrorCode::invalid_api_key, "The token of the admin interface is wrong."});
}

bool is_metrics(const RequestHead& head) {
  return std::string_view(head.target).substr(0, head.target.find('?')) == kMetricsPath;
}

}  // namespace

bool AdminHandler::has_token(const Headers& headers) const {
  constexpr std::string_view kScheme = "Bearer ";
  const auto* value = find_header(headers, "Authorization");
  if (value == nullptr || !equals_ignoring_case(std::string_view(*value).substr(0, kScheme.size()), kScheme)) {
    return false;
  }
  const auto hash = parts_.hashing.sha256(std::string_view(*value).substr(kScheme.size()));
  unsigned different = 0;  // in constant time
  for (std::size_t i = 0; i < hash.size(); ++i) different |= static_cast<unsigned>(hash[i] ^ token_hash_[i]);
  return different == 0;
}

std::variant<Response, Admitted> AdminHandler::admit(const RequestHead& head) {
  if (!is_metrics(head)) return Admitted{};  // the core looks at the token by itself
  if (!has_token(head.headers)) return metrics_refusal(head.headers);
  if (head.method != "GET" && head.method != "HEAD") {
    auto response = error_response({ErrorCode::method_not_allowed, "The metrics can only be read."});
    response.headers.push_back({"Allow", "GET, HEAD"});
    return response;
  }
  return Admitted{};
}

Response AdminHandler::answer(const Admitted& /*admitted*/, const Request& request) {
  if (!is_metrics(request.head)) return parts_.service.handle_admin(request);
  return {200,
          {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}, {"Cache-Control", "no-store"}},
          parts_.metrics.text(parts_.gauges())};
}

}  // namespace tonearm::native
