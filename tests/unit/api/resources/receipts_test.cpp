// License receipts while the catalog changes. These tests need unsigned snapshots too, so they are not case files.

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "scratch_folder.h"
#include "served_account.h"
#include "signing_files.h"
#include "system/signing_keys.h"

using namespace tonearm;

namespace {

namespace bj = boost::json;

struct ReceiptsFixture : test::ServedAccount {
  /// Serves three tracks, signed with the key of that letter; 0: not signed.
  void serve(char letter) {
    std::vector<Track> tracks(3);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      tracks[i].id = "t-" + std::to_string(i);
      tracks[i].title = "Title";
      tracks[i].duration_ms = 60'000;
      tracks[i].source = "example.org";
    }
    SnapshotOptions options;
    std::optional<native::SigningKey> signing;
    if (letter != 0) {
      signing.emplace(folder.write("key.pem", test::private_pem(letter)));
      options.signer = {&*signing, "2026-01-15"};
    }
    catalog = test::make_memory_catalog(tracks, options);
  }
  static std::string header(const Response& response, std::string_view name) {
    for (const Header& it : response.headers) {
      if (it.name == name) return it.value;
    }
    return {};
  }

  test::ScratchFolder folder;
};

}  // namespace

TEST_CASE("RECEIPT-1: without a signature there is no receipt: 409 not_signed") {
  ReceiptsFixture fixture;
  fixture.serve(0);
  const Response refused = fixture.send("GET", "/v1/tracks/t-1/receipt");
  CHECK(refused.status == 409);
  CHECK(refused.body ==
        R"({"error":"not_signed","message":"The catalog is not signed, so no receipt can prove what it states."})");
  CHECK(fixture.send("GET", "/v1/tracks/t-9/receipt").status == 404);
  fixture.serve('a');
  const auto receipt = fixture.read("GET", "/v1/tracks/t-1/receipt");
  CHECK(receipt.at("track_id").as_string() == "t-1");
  CHECK(receipt.at("signed_on").as_string() == "2026-01-15");
  CHECK(bj::serialize(receipt.at("license_record")) == receipt.at("license_record_text").as_string());
}

TEST_CASE("RECEIPT-7, RECEIPT-8: an item keeps the receipt of the day it was added, or has none") {
  ReceiptsFixture fixture;
  fixture.serve(0);
  const auto id = bj::value_to<std::string>(fixture.read("POST", "/v1/collections", R"({"name":"Mixed"})").at("id"));
  const std::string path = "/v1/collections/" + id;
  fixture.send("POST", path + "/items", R"({"track":"t-0"})");
  fixture.serve('a');
  const std::string expected = fixture.send("GET", "/v1/tracks/t-1/receipt").body;
  fixture.send("POST", path + "/items", R"({"tracks":["t-0","t-1"]})");
  fixture.serve('b');
  const auto detail = fixture.read("POST", path + "/items", R"({"tracks":["t-1","t-2"]})");
  REQUIRE(detail.at("items").as_array().size() == 3);
  CHECK_FALSE(detail.at_pointer("/items/0/receipt").as_bool());
  CHECK(detail.at_pointer("/items/1/receipt").as_bool());
  CHECK(detail.at_pointer("/items/2/receipt").as_bool());
  fixture.send("PATCH", path + "/items/t-1", R"({"note":"kept","position":2})");
  fixture.catalog.reset();
  const Response lines = fixture.send("GET", path + "/receipts");
  CHECK(lines.status == 200);
  CHECK(ReceiptsFixture::header(lines, "Content-Type") == "application/jsonl; charset=utf-8");
  CHECK(lines.body.ends_with('\n' + expected + '\n'));
  CHECK(lines.body.find(R"("track_id":"t-2")") < lines.body.find(R"("track_id":"t-1")"));
  CHECK(lines.body.find(R"("track_id":"t-0")") == std::string::npos);
  fixture.serve('a');
  CHECK(fixture.send("DELETE", path + "/items/t-1").status == 200);
  CHECK(fixture.send("GET", path + "/receipts").body.find(R"("track_id":"t-1")") == lines.body.npos);
  CHECK(fixture.send("GET", "/v1/collections/col_aaaaaaaaaaaaaaaaaaaaaaaaaa/receipts").status == 404);
}

TEST_CASE("SERVICE-10: another signature of the same version changes the entity tag") {
  ReceiptsFixture fixture;
  std::string last;
  for (const char letter : {'a', 'b', '\0'}) {
    fixture.serve(letter);
    const auto tag = ReceiptsFixture::header(fixture.send("GET", "/v1/tracks/t-1"), "ETag");
    CHECK(tag.starts_with('"' + fixture.catalog->version() + '-'));
    CHECK(tag != last);
    last = tag;
  }
}
