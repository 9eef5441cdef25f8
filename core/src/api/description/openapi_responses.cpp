#include "api/description/openapi_responses.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/description/openapi_writing.h"
#include "api/requests/response_headers.h"
#include "domain/credits.h"
#include "table/answers.h"
#include "table/credits_files.h"
#include "table/state_lines.h"

namespace tonearm::api::openapi {
namespace {

using json::Writer;
using table::ObjectType;

constexpr std::int64_t kExampleResetMs = 1'768'478'460'000;  // 2026-01-15T12:01:00Z

/// Returns the error statuses of the route, and the codes of each.
std::map<int, std::vector<ErrorCode>> error_statuses(const Route& route) {
  std::set<ErrorCode> codes(route.errors.begin(), route.errors.end());
  codes.insert({ErrorCode::method_not_allowed, ErrorCode::internal_error});
  if (route.surface != Surface::open) codes.insert({ErrorCode::missing_api_key, ErrorCode::invalid_api_key});
  if (route.surface == Surface::api) codes.insert(ErrorCode::rate_limited);
  if (route.needs != Needs::nothing) codes.insert(ErrorCode::unavailable);
  std::map<int, std::vector<ErrorCode>> statuses;
  for (const ErrorCode code : codes) statuses[error_row(code).status].push_back(code);
  return statuses;
}

/// Writes an error as the service does, with the condition of the code as its message.
std::string error_example(ErrorCode code) {
  const Error error{code, std::string(error_row(code).condition)};
  if (code != ErrorCode::rate_limited) return to_json(table::kErrorType, table::ErrorView{error});
  return to_json(table::kErrorType, table::ErrorView{error, Window::minute, kExampleResetMs});
}

CreditEntry example_entry() {
  CreditEntry entry;
  entry.track_id = "example-1042";
  entry.title = "Morning Rain";
  entry.artist = "Ada Example";
  entry.source_page = "https://example.org/tracks/1042";
  entry.license = LicenseId::cc_by_4_0;
  entry.attribution = Attribution::required;
  return entry;
}

/// Writes a file of that media type as the service does.
std::string text_example(const Route& route, std::string_view media_type) {
  if (media_type == table::kJsonLines) {
    std::string lines;
    for (const ObjectType* line : route.line_types) lines += example_of(*line) + '\n';
    return lines;
  }
  const CreditEntry entry = example_entry();
  const auto file = std::find_if(table::kCreditsFiles.begin(), table::kCreditsFiles.end(),
                                 [&](const table::CreditsFile& it) { return it.media_type == media_type; });
  return file->write({&entry, 1}, {});
}

void write_named_examples(Writer& out, const std::vector<std::string_view>& names) {
  object(out, "examples", [&] {
    for (const std::string_view name : names) {
      out.key(name);
      write_component(out, "examples", name);
    }
  });
}

void write_example_component(Writer& out, std::string_view name, std::string_view value) {
  object(out, name, [&] { raw_member(out, "value", value); });
}

/// Writes the answer of `/openapi.json`, which has no type of its own.
void write_description_answer(Writer& out) {
  raw_member(out, "schema",
             R"({"type":"object","properties":{"openapi":{"type":"string"},"info":{"type":"object"},)"
             R"("paths":{"type":"object"}},"required":["openapi","info","paths"]})");
  raw_member(out, "example", R"({"openapi":"3.1.0","info":{"title":"Tonearm","version":"1.0.0"},"paths":{}})");
}

}  // namespace

void Responses::write_headers(Writer& out, const Route& route, int status) {
  object(out, "headers", [&] {
    for (const ResponseHeader& header : kResponseHeaders) {
      if (!header.is_sent(route, status)) continue;
      headers_.insert(header.name);
      out.key(header.name);
      write_component(out, "headers", header.name);
    }
  });
}

void Responses::write_json_answer(Writer& out, const Route& route) {
  if (route.answer == nullptr) return write_description_answer(out);
  std::vector<std::string_view> names;
  for (const ObjectType* type : {route.answer, route.minimal_answer}) {
    if (type == nullptr) continue;
    collect_types(*type, types_);
    answers_.emplace(type->name, type);
    names.push_back(type->name);
  }
  out.key("schema");
  if (names.size() == 1) {
    write_component(out, "schemas", names.front());
  } else {
    out.begin_object();
    array(out, "anyOf", [&] {
      for (const std::string_view name : names) write_component(out, "schemas", name);
    });
    out.end_object();
  }
  write_named_examples(out, names);
}

void Responses::write_success(Writer& out, const Route& route, int status) {
  object(out, std::to_string(status), [&] {
    member(out, "description", route.summary);
    write_headers(out, route, status);
    object(out, "content", [&] {
      if (route.answer != nullptr || route.text_types.empty()) {
        object(out, "application/json", [&] { write_json_answer(out, route); });
      }
      for (const std::string_view type : route.text_types) {
        object(out, type, [&] {
          raw_member(out, "schema", R"({"type":"string"})");
          member(out, "example", text_example(route, type));
        });
      }
    });
  });
}

void Responses::write_error(Writer& out, const Route& route, int status, const std::vector<ErrorCode>& codes) {
  std::string description;
  std::vector<std::string_view> names;
  for (const ErrorCode code : codes) {
    codes_.insert(code);
    names.push_back(error_row(code).name);
    description += fmt::format("{}`{}`: {}", description.empty() ? "" : " ", names.back(), error_row(code).condition);
  }
  Writer response;
  response.begin_object();
  member(response, "description", description);
  write_headers(response, route, status);
  object(response, "content", [&] {
    object(response, "application/json", [&] {
      response.key("schema");
      write_component(response, "schemas", table::kErrorType.name);
      write_named_examples(response, names);
    });
  });
  response.end_object();

  // Operations share most error responses.
  std::string name = fmt::format("{}", fmt::join(names, "_or_"));
  if (route.surface == Surface::open) name += "_without_key";
  if (needs_catalog(route.needs)) name += "_of_catalog";
  errors_.emplace(name, response.take());
  out.key(std::to_string(status));
  write_component(out, "responses", name);
}

void Responses::write(Writer& out, const Route& route) {
  collect_types(table::kErrorType, types_);
  object(out, "responses", [&] {
    write_success(out, route, route.status);
    if (route.unchanged_status != 0) write_success(out, route, route.unchanged_status);
    if (route.is_conditional()) {
      object(out, "304", [&] {
        member(out, "description", "If-None-Match names the current ETag.");
        write_headers(out, route, 304);
      });
    }
    for (const auto& [status, codes] : error_statuses(route)) write_error(out, route, status, codes);
  });
}

void Responses::write_components(Writer& out) const {
  object(out, "headers", [&] {
    for (const ResponseHeader& header : kResponseHeaders) {
      if (!headers_.contains(header.name)) continue;
      object(out, header.name, [&] {
        member(out, "description", header.description);
        raw_member(out, "schema", header.schema);
        raw_member(out, "example", header.example);
      });
    }
  });
  object(out, "responses", [&] {
    for (const auto& [name, response] : errors_) raw_member(out, name, response);
  });
  object(out, "examples", [&] {
    for (const auto& [name, type] : answers_) write_example_component(out, name, example_of(*type));
    for (const ErrorCode code : codes_) write_example_component(out, error_row(code).name, error_example(code));
  });
}

}  // namespace tonearm::api::openapi
