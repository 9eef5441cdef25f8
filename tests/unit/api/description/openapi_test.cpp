#include "api/description/openapi.h"

#include <doctest/doctest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>
#include <string>

#include "api/requests/body.h"
#include "api/requests/query_string.h"
#include "api/requests/response_headers.h"
#include "text/percent.h"

namespace tonearm::api {
namespace {

namespace js = boost::json;

constexpr std::string_view kComponents = "#/components/";

/// Returns all values of members `$ref`.
void collect_references(const js::value& value, std::set<std::string>& references) {
  if (const auto* array = value.if_array()) {
    for (const js::value& item : *array) collect_references(item, references);
  }
  if (const auto* object = value.if_object()) {
    for (const js::key_value_pair& member : *object) {
      if (member.key() == "$ref") references.emplace(member.value().as_string());
      collect_references(member.value(), references);
    }
  }
}

/// Returns the operation of a route in the description.
const js::object& operation_of(const js::value& description, const Route& route) {
  std::string method(route.method);
  for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
  return description.at("paths").at(route.path).at(method).as_object();
}

}  // namespace

TEST_CASE("SERVICE-2: every reference in the OpenAPI description has a target, and every component is referenced") {
  for (const Surface surface : {Surface::api, Surface::admin}) {
    const js::value description = js::parse(make_openapi(surface));
    std::set<std::string> references;
    collect_references(description, references);
    std::set<std::string> components;
    for (const auto& [part, members] : description.at("components").as_object()) {
      // Shared header fields are listed even if no operation uses them.
      if (part == "securitySchemes" || part == "parameters") continue;
      for (const auto& member : members.as_object()) {
        components.insert(std::string(kComponents) + std::string(part) + '/' + std::string(member.key()));
      }
    }
    for (const std::string& reference : references) {
      if (!reference.starts_with("#/components/parameters/")) CHECK_MESSAGE(components.contains(reference), reference);
    }
    for (const std::string& component : components) CHECK_MESSAGE(references.contains(component), component);
  }
}

TEST_CASE("SERVICE-2: the parser accepts the example of every parameter in the OpenAPI description") {
  std::size_t count = 0;
  for (const Route& route : kRoutes) {
    for (const table::Parameter& parameter : route.query()) {
      CAPTURE(route.path);
      CAPTURE(parameter.name);
      REQUIRE(!parameter.example.empty());
      table::Parameter alone = parameter;
      const auto parsed = parse_query(std::string(parameter.name) + '=' + text::encode_percent(parameter.example),
                                      std::span(&alone, 1));
      CHECK(parsed.has_value());
      ++count;
    }
    if (route.handler.parameters == nullptr) continue;
    for (const table::Parameter& parameter : route.handler.parameters->path) {
      CAPTURE(route.path);
      CHECK(!parameter.description.empty());
      CHECK(!parameter.example.empty());
    }
  }
  CHECK(count > 60);
}

TEST_CASE("SERVICE-2: the body parser accepts the example of every body in the OpenAPI description") {
  std::size_t count = 0;
  for (const Surface surface : {Surface::api, Surface::admin}) {
    const js::value description = js::parse(make_openapi(surface));
    for (const Route& route : kRoutes) {
      if (route.surface != surface || route.handler.body == nullptr || route.handler.body->fields.empty()) continue;
      CAPTURE(route.path);
      const js::value& example =
          operation_of(description, route).at("requestBody").at("content").at("application/json").at("example");
      Request request;
      request.head.headers = {{"Content-Type", "application/json"}};
      request.body = js::serialize(example);
      const auto body = parse_body(request, *route.handler.body);
      CHECK_MESSAGE(body.has_value(), (body.has_value() ? std::string() : body.error().message));
      ++count;
    }
  }
  CHECK(count > 8);
}

TEST_CASE("The OpenAPI description lists the header fields of each status") {
  const js::value description = js::parse(openapi_description());
  const auto headers_of = [&](std::string_view path, std::string_view status) {
    std::set<std::string> names;
    const js::object& response = description.at("paths").at(path).at("get").at("responses").at(status).as_object();
    const auto* reference = response.if_contains("$ref");
    const js::value& headers = reference == nullptr ? response.at("headers")
                                                    : description.at("components")
                                                          .at("responses")
                                                          .at(std::string_view(reference->as_string()).substr(23))
                                                          .at("headers");
    for (const auto& header : headers.as_object()) names.emplace(header.key());
    return names;
  };
  const std::set<std::string> found = headers_of("/v1/search", "200");
  for (const char* const name : {"ETag", "Cache-Control", "Tonearm-Catalog", "RateLimit", "RateLimit-Policy", "Vary"}) {
    CHECK_MESSAGE(found.contains(name), name);
  }
  CHECK(!found.contains("Retry-After"));
  CHECK(headers_of("/v1/search", "304").contains("ETag"));
  CHECK(headers_of("/v1/search", "401").contains("WWW-Authenticate"));
  CHECK(!headers_of("/v1/search", "401").contains("RateLimit"));
  CHECK(headers_of("/v1/search", "405").contains("Allow"));
  CHECK(headers_of("/v1/search", "429").contains("Retry-After"));
  CHECK(!headers_of("/v1/collections", "200").contains("ETag"));
  CHECK(headers_of("/v1/collections/{id}/credits", "200").contains("Content-Disposition"));
  CHECK(!headers_of("/healthz", "200").contains("RateLimit"));
}

}  // namespace tonearm::api
