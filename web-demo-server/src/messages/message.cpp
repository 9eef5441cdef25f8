#include "messages/message.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "json/writer.h"
#include "text/percent.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

std::optional<boost::json::object> parse_object(std::string_view body) {
  boost::json::error_code error;
  auto value = boost::json::parse(body, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

}  // namespace

std::string_view path_of(std::string_view target) { return http_fields::path_of(target); }

std::string_view query_of(std::string_view target) {
  const auto mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

std::optional<std::vector<std::string>> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  if (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (true) {
    const auto slash = std::min(path.find('/'), path.size());
    auto decoded = text::decode_percent(path.substr(0, slash));
    if (!decoded) return std::nullopt;
    segments.push_back(*std::move(decoded));
    if (slash == path.size()) return segments;
    path.remove_prefix(slash + 1);
  }
}

std::optional<std::string> cookie(const Headers& headers, std::string_view name) {
  for (const auto& header : headers) {
    if (!is_named(header, "Cookie")) continue;
    std::string_view list = header.value;
    while (!list.empty()) {
      const auto pair = http_fields::next_element(list, ';');
      const auto equals = pair.find('=');
      if (equals != std::string_view::npos && pair.substr(0, equals) == name)
        return std::string(pair.substr(equals + 1));
    }
  }
  return std::nullopt;
}

std::string set_cookie(std::string_view name, std::string_view value, std::int64_t age_s, Transport transport) {
  std::string out(name);
  out.append("=").append(value).append("; Path=/; Max-Age=").append(std::to_string(age_s));
  out.append("; HttpOnly; SameSite=Lax");
  if (transport == Transport::secure) out.append("; Secure");
  return out;
}

Response json_answer(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

Response error_answer(int status, std::string_view code, std::string_view message, std::int64_t retry_after_s) {
  json::Writer out;
  out.begin_object();
  out.string("error", code);
  out.string("message", message);
  out.end_object();
  auto response = json_answer(status, out.take());
  if (retry_after_s > 0) response.headers.push_back({"Retry-After", std::to_string(retry_after_s)});
  return response;
}

Response method_not_allowed(std::string_view allowed) {
  auto response = error_answer(405, "method_not_allowed", "This route does not support the method.");
  if (!allowed.empty()) response.headers.push_back({"Allow", std::string(allowed)});
  return response;
}

std::optional<boost::json::object> read_strings(std::string_view body, std::initializer_list<std::string_view> names) {
  auto object = parse_object(body);
  if (!object || object->size() != names.size()) return std::nullopt;
  const bool fits = std::all_of(names.begin(), names.end(), [&](std::string_view name) {
    const auto* value = object->if_contains(name);
    return value != nullptr && value->is_string();
  });
  return fits ? object : std::nullopt;
}

boost::json::object read_object(std::string_view body) {
  auto object = parse_object(body);
  if (!object) throw std::runtime_error("a response of the API is not a JSON object");
  return *std::move(object);
}

std::string string_of(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) {
    throw std::runtime_error("a response of the API has no string \"" + std::string(name) + '"');
  }
  return std::string(value->get_string());
}

}  // namespace tonearm::web
