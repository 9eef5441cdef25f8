#include "oauth/registration.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <utility>

#include "oauth/redirect_address.h"
#include "text/unicode.h"
#include "text/web_address.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kNameCharactersMax = 80;
constexpr std::size_t kRedirectsMax = 10;
constexpr std::string_view kBadRedirects = "redirect_uris must be a list of 1 to 10 addresses";

std::optional<boost::json::object> parse_object(std::string_view body) {
  boost::json::error_code error;
  auto value = boost::json::parse(body, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

std::variant<ClientMetadata, OauthError> metadata_of(const boost::json::object& object) {
  ClientMetadata metadata;
  if (const auto* name = object.if_contains("client_name")) {
    const auto* const given = name->if_string();
    if (given == nullptr) return OauthError{"invalid_client_metadata", "client_name must be a text"};
    const auto line = text::one_line({given->data(), given->size()});
    metadata.name = text::first_code_points(line, kNameCharactersMax);
  }
  const auto* const redirects = object.if_contains("redirect_uris");
  const auto* const list = redirects == nullptr ? nullptr : redirects->if_array();
  if (list == nullptr || list->empty() || list->size() > kRedirectsMax) {
    return OauthError{"invalid_redirect_uri", kBadRedirects};
  }
  for (const auto& redirect : *list) {
    const auto* const address = redirect.if_string();
    if (address == nullptr) return OauthError{"invalid_redirect_uri", kBadRedirects};
    if (const auto wrong = redirect_error({address->data(), address->size()}); !wrong.empty()) {
      return OauthError{"invalid_redirect_uri", wrong};
    }
    metadata.redirects.emplace_back(address->data(), address->size());
  }
  return metadata;
}

}  // namespace

std::variant<ClientMetadata, OauthError> read_registration(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return OauthError{"invalid_client_metadata", "the body must be a JSON object"};
  return metadata_of(*object);
}

bool is_document_id(std::string_view client_id) {
  const auto address = text::parse_web_address(client_id);
  if (!address || !address->is_https || !redirect_error(client_id).empty()) return false;
  const bool has_dots = address->path.find("/.") != std::string_view::npos;
  return address->path.size() > 1 && address->query.empty() && !has_dots;
}

std::variant<ClientMetadata, OauthError> read_document(std::string_view client_id, std::string_view body) {
  const auto object = parse_object(body);
  const auto* const stated = object ? object->if_contains("client_id") : nullptr;
  const auto* const id = stated == nullptr ? nullptr : stated->if_string();
  if (id == nullptr || std::string_view(id->data(), id->size()) != client_id) {
    return OauthError{"invalid_client_metadata", "the document must be a JSON object with its address as client_id"};
  }
  return metadata_of(*object);
}

}  // namespace tonearm::web
