// Conditional requests (RFC 9110, section 13) on what the catalog answers.

#include "api/call.h"

namespace tonearm::api {
namespace {

/// To be raised whenever the same question about the same snapshot is answered with other bytes than before.
constexpr std::string_view kRepresentation = "1";

/// Whether a list of entity tags names `tag`; the comparison of If-None-Match is the weak one.
bool names(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const std::size_t begin = list.find_first_not_of(" \t,");
    if (begin == std::string_view::npos) return false;
    list.remove_prefix(begin);
    if (list.front() == '*') return true;
    if (list.starts_with("W/")) list.remove_prefix(2);
    if (list.empty() || list.front() != '"') return false;
    const std::size_t end = list.find('"', 1);
    if (end == std::string_view::npos) return false;
    if (list.substr(0, end + 1) == tag) return true;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

std::string entity_tag(const Catalog& catalog) {
  return '"' + catalog.version() + '-' + std::string(kRepresentation) + '"';
}

std::optional<Response> not_modified(const Call& call) {
  const std::string tag = entity_tag(*call.catalog);
  for (const Header& header : call.request.head.headers) {
    if (is_named(header, "If-None-Match") && names(header.value, tag)) {
      return Response{304, {{"Cache-Control", std::string(kRevalidate)}, {"ETag", tag}}, {}};
    }
  }
  return std::nullopt;
}

}  // namespace tonearm::api
