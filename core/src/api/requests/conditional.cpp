// Conditional requests for catalog answers (RFC 9110, section 13).

#include "api/requests/call.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::api {
namespace {

/// Must be raised whenever the answer to the same request on the same snapshot changes.
constexpr std::string_view kRepresentation = "5";

constexpr std::size_t kSignatureDigits = 16;

}  // namespace

std::string entity_tag(const Catalog& catalog) {
  std::string tag = '"' + catalog.revision() + '-' + std::string(kRepresentation);
  // Another signature changes the receipts.
  if (catalog.signature()) tag += '-' + ascii::to_hex(catalog.signature()->signature).substr(0, kSignatureDigits);
  return tag + '"';
}

std::optional<Response> not_modified(const Call& call) {
  for (const Header& header : call.request.head.headers) {
    if (!is_named(header, "If-None-Match")) continue;
    const std::string tag = entity_tag(*call.catalog);
    if (http_fields::matches_entity_tag(header.value, tag)) {
      return Response{304, {{"Cache-Control", std::string(kRevalidate)}, {"ETag", tag}}, {}};
    }
  }
  return std::nullopt;
}

}  // namespace tonearm::api
