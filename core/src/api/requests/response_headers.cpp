#include "api/requests/response_headers.h"

#include <algorithm>
#include <array>

namespace tonearm::api {
namespace {

constexpr std::string_view kText = R"({"type":"string"})";

/// The error may be due to too many calls, failed keys, or new collections in a period.
bool can_be_retried(const Route& route, int status) {
  if (route.surface == Surface::open) return false;
  const bool creates =
      std::find(route.errors.begin(), route.errors.end(), ErrorCode::collection_limit) != route.errors.end();
  return status == 401 || status == 429 || (creates && status == error_row(ErrorCode::collection_limit).status);
}

bool always(const Route& /*route*/, int /*status*/) { return true; }

bool has_rate_limits(const Route& route, int status) { return route.surface == Surface::api && status != 401; }

bool is_success(int status) { return status < 300; }

constexpr std::array kHeaderRows{
    ResponseHeader{"Cache-Control", "Whether the answer may be kept: only where it follows from the catalog alone.",
                   R"({"type":"string","enum":["no-store","private, no-cache"]})", R"("no-store")", always},
    ResponseHeader{
        "ETag", "The version of the answer, for If-None-Match.", kText, R"("\"0123456789abcdef-3\"")",
        [](const Route& route, int status) { return route.is_conditional() && (status == 200 || status == 304); }},
    ResponseHeader{"Tonearm-Catalog", "The version of the catalog that the answer comes from.",
                   R"({"type":"string","pattern":"^[0-9a-f]{16}$"})", R"("0123456789abcdef")",
                   [](const Route& route, int status) {
                     return needs_catalog(route.needs) && status != 401 && status != 405 && status != 429;
                   }},
    ResponseHeader{"RateLimit-Policy", "The limits of the account, where its plan has any.", kText,
                   R"("\"minute\";q=20;w=60, \"day\";q=300;w=86400")", has_rate_limits},
    ResponseHeader{"RateLimit", "How many calls are left, and in how many seconds there are more.", kText,
                   R"("\"minute\";r=7;t=31, \"day\";r=251;t=40000")", has_rate_limits},
    ResponseHeader{"Retry-After", "In how many seconds the call can succeed.", R"({"type":"integer","minimum":1})",
                   "31", can_be_retried},
    ResponseHeader{"WWW-Authenticate", "How to authenticate.", kText, R"("Bearer")",
                   [](const Route& /*route*/, int status) { return status == 401; }},
    ResponseHeader{"Allow", "The methods that the path takes.", kText, R"("GET, HEAD")",
                   [](const Route& /*route*/, int status) { return status == 405; }},
    ResponseHeader{
        "Preference-Applied", "That Prefer was followed.", R"({"type":"string","enum":["return=minimal"]})",
        R"("return=minimal")",
        [](const Route& route, int status) { return route.minimal_answer != nullptr && is_success(status); }},
    ResponseHeader{"Content-Disposition", "The name of the file, where the answer is one.", kText,
                   R"("attachment; filename=\"collections.jsonl\"")",
                   [](const Route& route, int status) { return !route.text_types.empty() && is_success(status); }},
    ResponseHeader{"Content-Encoding", "How the body is compressed, if it is.",
                   R"({"type":"string","enum":["gzip","zstd"]})", R"("gzip")",
                   [](const Route& /*route*/, int status) { return status != 304; }},
    ResponseHeader{"Vary", "Which header fields of the request the answer depends on.", kText, R"("Accept-Encoding")",
                   always},
    ResponseHeader{"X-Request-Id", "Names the call, for questions to who runs the service.", kText,
                   R"("4e3cbb42013444b2d4958136")", always},
    ResponseHeader{"X-Content-Type-Options", "That the media type is meant.", R"({"type":"string","enum":["nosniff"]})",
                   R"("nosniff")", always},
};

}  // namespace

const std::span<const ResponseHeader> kResponseHeaders{kHeaderRows};

}  // namespace tonearm::api
