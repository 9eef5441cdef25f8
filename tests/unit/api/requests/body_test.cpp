// The size limits of bodies (BODY-2).

#include "api/requests/body.h"

#include <doctest/doctest.h>

using namespace tonearm;

TEST_CASE("One byte more than a route accepts is too large") {
  const auto padded = [](std::string_view json, std::size_t size) {
    Request request;
    request.body = json;
    request.body.resize(size, ' ');
    return request;
  };
  const std::string_view files = R"({"files":[{"name":"x"}]})";
  CHECK(api::parse_body(padded(files, kBodyBytesMax), table::kFilesBody).has_value());
  CHECK(api::parse_body(padded(files, kBodyBytesMax + 1), table::kFilesBody).error().code == ErrorCode::too_large);
  const std::string_view name = R"({"name":"x"})";
  CHECK(api::parse_body(padded(name, kBodyBytes), table::kCollectionBody).has_value());
  CHECK(api::parse_body(padded(name, kBodyBytes + 1), table::kCollectionBody).error().code == ErrorCode::too_large);
}
