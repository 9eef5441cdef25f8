#include "catalog/lookup/receipts.h"

#include <doctest/doctest.h>

#include "../sample_tracks.h"
#include "scratch_folder.h"
#include "signing_files.h"
#include "snapshot_surgery.h"
#include "system/signing_keys.h"
#include "system/system_ports.h"

namespace tonearm::test {
namespace {

/// A snapshot that key a signed.
std::string signed_bytes(int tracks) {
  std::vector<Track> all;
  all.reserve(static_cast<std::size_t>(tracks));
  for (int i = 0; i < tracks; ++i) all.push_back(music("x-" + std::to_string(i), "Rain \"" + std::to_string(i) + '"'));
  all.front().taken_down = true;
  const ScratchFolder folder;
  const native::SigningKey key(folder.write("key.pem", private_pem('a')));
  SnapshotOptions options;
  options.signer = {&key, "2026-01-15"};
  return snapshot_bytes(all, options);
}

std::vector<std::uint32_t> all_positions(const Catalog& catalog) {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < catalog.track_count(); ++i) positions.push_back(i);
  return positions;
}

}  // namespace

// RECEIPT-1, RECEIPT-2, RECEIPT-4
TEST_CASE("every track of a signed catalog has a receipt that leads to the signed root") {
  native::OpensslHashing hashing;
  const auto catalog = Catalog::open(snapshot_of_bytes(signed_bytes(150)), {}).value();
  REQUIRE(catalog->signature().has_value());
  CHECK(native::is_signed_by_own_key(*catalog->signature()));
  const auto facts = read_signed_facts(catalog->signature()->message);
  REQUIRE(facts.has_value());
  CHECK(facts->signed_on == "2026-01-15");
  CHECK(facts->catalog_version == catalog->version());
  const auto receipts = catalog->receipts(all_positions(*catalog), hashing);
  REQUIRE(receipts.size() == 150);
  for (const LicenseReceipt& receipt : receipts) {
    CHECK(path_root(leaf_hash(receipt.record, hashing), receipt.path, hashing) == facts->root);
    CHECK(path_root(leaf_hash(receipt.record + ' ', hashing), receipt.path, hashing) != facts->root);
    CHECK(receipt.record.starts_with(R"({"id":")" + receipt.track_id + R"(","title":"Rain \")"));
    CHECK(receipt.claim.message == catalog->signature()->message);
  }
  const auto position = catalog->find("x-7");
  REQUIRE(position.has_value());
  CHECK(receipts[*position].record ==
        R"({"id":"x-7","title":"Rain \"7\"","artist":"","license":{"id":"cc0","name":"CC0 1.0",)"
        R"("url":"https://creativecommons.org/publicdomain/zero/1.0/","status":"listed"},)"
        R"("terms":{"commercial":true,"credit":"none","share_alike":false},"attribution":"optional",)"
        R"("credit_line":"\"Rain \"7\"\" is marked with CC0 1.0. To view the terms, visit )"
        R"(https://creativecommons.org/publicdomain/zero/1.0/.","credit_as":null,"source_page":null})");
}

// RECEIPT-5
TEST_CASE("a receipt is the same from a file that is read in blocks") {
  native::OpensslHashing hashing;
  const std::string bytes = signed_bytes(150);
  const auto resident = Catalog::open(snapshot_of_bytes(bytes), {}).value();
  const auto paged = paged_snapshot_of_bytes(bytes, Blocks::immediate);
  const auto remote = Catalog::open(paged, {}).value();
  const std::vector<std::uint32_t> positions{3, 149, 64};
  const auto expected = resident->receipts(positions, hashing);
  const auto found = remote->receipts(positions, hashing);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    CHECK(found[i].record == expected[i].record);
    CHECK(found[i].path == expected[i].path);
  }
}

TEST_CASE("verification compares the tree and its root with the tracks") {
  native::OpensslHashing hashing;
  const std::string bytes = signed_bytes(20);
  const auto message_of = [&](const ChangeSection& change) {
    const auto result = verify_snapshot(snapshot_of_bytes(modified_snapshot(bytes, "", change)), hashing);
    return result ? std::string("it is sound") : result.error().message;
  };
  CHECK(message_of({}) == "it is sound");
  CHECK(message_of([](catalog::SectionId id, std::string& data) {
          if (id == catalog::SectionId::license_tree) data[40] ^= 1;
        }) == "the snapshot is damaged: the tree of license records differs from the tracks");
  CHECK(message_of([](catalog::SectionId id, std::string& data) {
          if (id == catalog::SectionId::license_tree) data.append(32, '\0');
        }) == "the snapshot is damaged: the tree of license records differs from the tracks");
}

}  // namespace tonearm::test
