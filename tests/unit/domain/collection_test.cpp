#include "domain/collection.h"

#include <doctest/doctest.h>

#include "collection_samples.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

constexpr std::int64_t kNow = 1'768'478'400;
const Edit kEdit{.now_s = kNow + 60};
const Edit kReadOnly{.read_only = true, .now_s = kNow + 60};
const Edit kStale{.revision = 6, .now_s = kNow + 60};
const Edit kReadOnlyAndStale{.read_only = true, .revision = 6, .now_s = kNow + 60};

/// Revision 7, with the tracks t-0 to t-3.
Collection sample() {
  Collection collection{"col_aaaaaaaaaaaaaaaaaaaaaaaaaa", "Rain", false, 1, kNow, kNow, {}};
  collection = with_tracks(collection, {.now_s = kNow}, tracks_to_add(0, 4)).value().collection;
  collection.revision = 7;
  return collection;
}

std::string order_of(const Collection& collection) {
  std::string order;
  for (const CollectionItem& item : collection.items) order += item.track_id + ' ';
  return order;
}

template <class T>
ErrorCode code_of(const Result<T>& result) {
  REQUIRE(result.has_error());
  return result.error().code;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("an id is col_ and 26 lower-case base32 characters") {
  std::array<std::uint8_t, kCollectionIdBytes> bytes{};
  CHECK(make_collection_id(bytes) == "col_aaaaaaaaaaaaaaaaaaaaaaaaaa");
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37);
  const std::string id = make_collection_id(bytes);
  CHECK(is_collection_id(id));
  CHECK_FALSE(is_collection_id(id + "a"));
  CHECK_FALSE(is_collection_id(id.substr(1)));
  CHECK_FALSE(is_collection_id("col_AAAAAAAAAAAAAAAAAAAAAAAAAA"));
  CHECK_FALSE(is_collection_id("col_1aaaaaaaaaaaaaaaaaaaaaaaaa"));
  CHECK_FALSE(is_collection_id("acc_aaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

TEST_CASE("an item keeps the receipt that its track has, and says whether it has one (RECEIPT-7)") {
  auto proven = track_to_add("t-8");
  proven.receipt = "{}";
  const auto items = with_tracks(sample(), kEdit, {track_to_add("t-7"), proven}).value().collection.items;
  CHECK_FALSE(items.at(4).has_receipt);
  CHECK(items.at(5).has_receipt);
  CHECK(items.at(5).receipt == "{}");
}

TEST_CASE("a trimmed name has 1 to 80 characters, one of them visible, and no control characters or bidi overrides") {
  for (const std::string& good :
       {std::string("x"), std::string("  x\t\n"), repeated("\xf0\x9f\x8e\xb5", 80), std::string("\xd7\x90\xe2\x80\x8f"),
        "   " + repeated("y", 80) + "   ", std::string("a\xe2\x80\xa8z")}) {
    CAPTURE(good);
    CHECK(is_collection_name(good));
  }
  for (const std::string& bad :
       {std::string(), std::string(" \xe3\x80\x80\n"), repeated("y", 81), std::string("a\nb"), std::string("a\tb"),
        std::string("a\0b", 3), std::string("a\x7f"), std::string("a\xc2\x9f"), std::string("a\xe2\x80\xae z"),
        std::string("\xe2\x81\xa6z"), std::string("\xe2\x80\x8b"), std::string("\xf3\xa0\x81\x81\xf3\xa0\x81\xbf")}) {
    CAPTURE(bad);
    CHECK_FALSE(is_collection_name(bad));
  }
  CHECK(trimmed_name(" \n a  b ") == "a  b");
}

// ITEM-9
TEST_CASE("a note may contain line breaks and tabs, but no other control characters") {
  CHECK(is_note("", kNoteMax));
  CHECK(is_note("a\r\n\tb \xe2\x80\xae", kNoteMax));
  CHECK(is_note(repeated("\xc3\xa9", 500), kNoteMax));
  CHECK_FALSE(is_note(repeated("\xc3\xa9", 501), kNoteMax));
  for (const std::string& bad : {std::string("\0", 1), std::string("\x0b"), std::string("\x1b[0m"), std::string("\x7f"),
                                 std::string("\xc2\x85")}) {
    CHECK_FALSE(is_note(bad, kNoteMax));
  }
}

TEST_CASE("on the Free plan only the collection that was changed last can be edited") {
  CHECK(is_read_only(Plan::free, 6, 7));
  CHECK_FALSE(is_read_only(Plan::free, 7, 7));
  CHECK_FALSE(is_read_only(Plan::pro, 6, 7));
  CHECK_FALSE(is_read_only(Plan::unlimited, 6, 7));
}

// LIMIT-12
TEST_CASE("a plan limits the number of collections and how many are created in an hour") {
  struct Row {
    Plan plan;
    std::size_t collections;
    std::size_t creations;
    std::optional<ErrorCode> refusal;
  };
  const Row rows[] = {
      {Plan::free, 0, 0, {}},
      {Plan::free, 0, 999, {}},
      {Plan::free, 1, 0, ErrorCode::pro_required},
      {Plan::free, 1'000, 60, ErrorCode::pro_required},
      {Plan::pro, 999, 59, {}},
      {Plan::pro, 1'000, 0, ErrorCode::collection_limit},
      {Plan::pro, 1'001, 0, ErrorCode::collection_limit},
      {Plan::pro, 0, 60, ErrorCode::collection_limit},
      {Plan::unlimited, 999, 60, {}},
      {Plan::unlimited, 1'000, 0, ErrorCode::collection_limit},
  };
  for (const Row& row : rows) {
    CAPTURE(row.collections);
    const auto refusal = check_creation(row.plan, row.collections, row.creations, 1);
    CHECK(refusal.has_value() == row.refusal.has_value());
    if (refusal && row.refusal) CHECK(refusal->code == *row.refusal);
  }
}

// COLLECTION-15
TEST_CASE("a rejected creation reports the wait in whole seconds, if waiting helps") {
  CHECK(check_creation(Plan::pro, 5, 60, 3'600'000)->retry_after_s == 3'600);
  CHECK(check_creation(Plan::pro, 5, 60, 1'001)->retry_after_s == 2);
  CHECK(check_creation(Plan::pro, 5, 60, 1)->retry_after_s == 1);
  CHECK(check_creation(Plan::pro, 1'000, 60, 1'001)->retry_after_s == 0);
  CHECK(check_creation(Plan::free, 1, 60, 1'001)->retry_after_s == 0);
}

TEST_CASE("only a revision other than the current one is stale") {
  CHECK_FALSE(check_revision(7, std::nullopt).has_value());
  CHECK_FALSE(check_revision(7, 7).has_value());
  CHECK(check_revision(7, 6)->code == ErrorCode::stale_revision);
}

TEST_CASE("a new name or commercial flag increments the revision; equal values change nothing") {
  const Collection before = sample();
  const Collection after = with_settings(before, kEdit, {"Storm", {}}, {}).value();
  CHECK(after.name == "Storm");
  CHECK(after.revision == 8);
  CHECK(after.updated_s == kEdit.now_s);
  CHECK(after.created_s == kNow);
  CHECK(after.items == before.items);
  CHECK(with_settings(before, kEdit, {"Rain", false}, {}).value() == before);
  CHECK(with_settings(before, kEdit, {{}, true}, {}).value().commercial);
}

TEST_CASE("a collection with a track that is non-commercial by its record or by now cannot become commercial") {
  const Collection plain = sample();
  CHECK(code_of(with_settings(plain, kEdit, {{}, true}, {"t-2"})) == ErrorCode::nc_commercial);
  CHECK(with_settings(plain, kEdit, {{}, true}, {"t-9"}).has_value());
  const Collection recorded =
      with_tracks(plain, kEdit, {track_to_add("nc-1", LicenseId::cc_by_nc_4_0)}).value().collection;
  const auto refused = with_settings(recorded, kEdit, {"Storm", true}, {});
  CHECK(code_of(refused) == ErrorCode::nc_commercial);
  CHECK(refused.error().message.find("\"nc-1\"") != std::string::npos);
  CHECK(with_settings(recorded, kEdit, {"Storm", false}, {}).has_value());
}

TEST_CASE("a track that turned non-commercial inside a commercial collection blocks no other edit") {
  const Collection collection = with_settings(sample(), kEdit, {{}, true}, {}).value();
  CHECK(with_settings(collection, kEdit, {"Storm", true}, {"t-2"}).has_value());
  CHECK(with_tracks(collection, kEdit, tracks_to_add(4, 5)).has_value());
  CHECK(with_settings(collection, kEdit, {{}, false}, {"t-2"}).has_value());
}

TEST_CASE("added tracks are appended with a record of that time; present ones do not change") {
  const Collection before = sample();
  TrackToAdd again = track_to_add("t-1", LicenseId::cc0);
  again.note = "not taken";
  const auto added = with_tracks(before, kEdit, {track_to_add("t-9"), again, track_to_add("t-9")}).value();
  CHECK(order_of(added.collection) == "t-0 t-1 t-2 t-3 t-9 ");
  CHECK(added.collection.revision == 8);
  CHECK(added.collection.items[1] == before.items[1]);
  CHECK(added.collection.items[4].added_s == kEdit.now_s);
  CHECK(added.collection.items[4].record.recorded_s == kEdit.now_s);
  REQUIRE(added.results.size() == 3);
  CHECK_FALSE(added.results[0].already_present);
  CHECK(added.results[1].already_present);
  CHECK(added.results[2].already_present);  // ITEM-5: a repeated id in one request
  CHECK(with_tracks(before, kEdit, {again}).value().collection == before);
}

TEST_CASE("a member that the catalog no longer has counts as present") {
  const auto added = with_tracks(sample(), kEdit, {unknown_track("t-2")}).value();
  CHECK(added.results[0].already_present);
  CHECK(added.collection == sample());
}

TEST_CASE("the error names unknown tracks, at most five of them") {
  std::vector<TrackToAdd> tracks = tracks_to_add(0, 6);
  for (const std::string id : {"a", "b", "c", "d", "e", "f", "g"}) tracks.push_back(unknown_track(id));
  const auto refused = with_tracks(sample(), kReadOnlyAndStale, tracks);
  CHECK(code_of(refused) == ErrorCode::not_found);
  CHECK(refused.error().message == R"(There are no tracks with the ids "a", "b", "c", "d", "e" and 2 more.)");
  CHECK(with_tracks(sample(), kEdit, {unknown_track("a\n")}).error().message ==
        R"(There is no track with the id "a".)");
  tracks.resize(11);
  CHECK(with_tracks(sample(), kEdit, tracks).error().message ==
        R"(There are no tracks with the ids "a", "b", "c", "d", "e".)");
}

// TRACK-6
TEST_CASE("the error distinguishes tracks that were taken down from unknown ones") {
  TrackToAdd gone = unknown_track("gone-1");
  gone.taken_down = true;
  const auto alone = with_tracks(sample(), kEdit, {gone});
  CHECK(alone.error().code == ErrorCode::not_found);
  CHECK(alone.error().message == R"(The track "gone-1" was taken down and cannot be added.)");
  TrackToAdd other = gone;
  other.track_id = "gone-2";
  CHECK(with_tracks(sample(), kEdit, {gone, unknown_track("a"), other}).error().message ==
        R"(There is no track with the id "a". The tracks "gone-1", "gone-2" were taken down and cannot be added.)");
}

TEST_CASE("a collection has at most 500 tracks; all tracks are added or none") {
  Collection full = with_tracks(sample(), kEdit, tracks_to_add(4, 499)).value().collection;
  CHECK(code_of(with_tracks(full, kEdit, tracks_to_add(498, 501))) == ErrorCode::collection_full);
  full = with_tracks(full, kEdit, tracks_to_add(490, 500)).value().collection;
  CHECK(full.items.size() == kCollectionTracksMax);
  CHECK(code_of(with_tracks(full, kEdit, tracks_to_add(500, 501))) == ErrorCode::collection_full);
  CHECK(with_tracks(full, kEdit, tracks_to_add(0, 25)).value().collection == full);
}

TEST_CASE("a non-commercial track cannot be added to a commercial collection") {
  const Collection commercial = with_settings(sample(), kEdit, {{}, true}, {}).value();
  const auto refused =
      with_tracks(commercial, kEdit, {track_to_add("t-8"), track_to_add("nc", LicenseId::cc_by_nc_3_0)});
  CHECK(code_of(refused) == ErrorCode::nc_commercial);
  CHECK(with_tracks(sample(), kEdit, {track_to_add("nc", LicenseId::cc_by_nc_3_0)}).has_value());
}

TEST_CASE("an item moves to its new position, or to the end if that is past the end") {
  struct Row {
    const char* track;
    std::uint64_t position;
    const char* order;
  };
  const Row rows[] = {
      {"t-0", 2, "t-1 t-2 t-0 t-3 "}, {"t-3", 0, "t-3 t-0 t-1 t-2 "},     {"t-2", 1, "t-0 t-2 t-1 t-3 "},
      {"t-0", 3, "t-1 t-2 t-3 t-0 "}, {"t-1", ~0ULL, "t-0 t-2 t-3 t-1 "}, {"t-1", 1, "t-0 t-1 t-2 t-3 "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.order);
    ItemChange change;
    change.position = row.position;
    const Collection after = with_item_changed(sample(), kEdit, row.track, change).value();
    CHECK(order_of(after) == row.order);
    CHECK(after.revision == (order_of(after) == order_of(sample()) ? 7 : 8));
  }
}

TEST_CASE("note and modifications are replaced completely or cleared; the record does not change") {
  const Modifications looped{{false, false, true, false}, "slower"};
  Collection collection = with_item_changed(sample(), kEdit, "t-1", {"a note", looped, {}}).value();
  CHECK(collection.items[1].note == "a note");
  CHECK(collection.items[1].modifications == looped);
  CHECK(collection.items[1].record == sample().items[1].record);
  CHECK(with_item_changed(collection, kEdit, "t-1", {"a note", {}, {}}).value() == collection);
  collection = with_item_changed(collection, kEdit, "t-1", {"", Modifications{}, {}}).value();
  CHECK(collection.items[1].note.empty());
  CHECK(collection.items[1].modifications.empty());
  CHECK(collection.revision == 9);
}

TEST_CASE("a removed item leaves no gap") {
  const Collection after = without_item(sample(), kEdit, "t-1").value();
  CHECK(order_of(after) == "t-0 t-2 t-3 ");
  CHECK(after.revision == 8);
}

TEST_CASE("an order names every member exactly once") {
  CHECK(order_of(reordered(sample(), kEdit, {"t-3", "t-1", "t-0", "t-2"}).value()) == "t-3 t-1 t-0 t-2 ");
  CHECK(reordered(sample(), kEdit, {"t-0", "t-1", "t-2", "t-3"}).value() == sample());
  const std::vector<std::vector<std::string>> wrong{{},
                                                    {"t-0", "t-1", "t-2"},
                                                    {"t-0", "t-1", "t-2", "t-2"},
                                                    {"t-0", "t-1", "t-2", "t-3", "t-3"},
                                                    {"t-0", "t-1", "t-2", "x"}};
  for (const auto& order : wrong) CHECK(code_of(reordered(sample(), kEdit, order)) == ErrorCode::invalid_request);
  CHECK(reordered(sample(), kEdit, {"t-0", "t-0"}).error().message.ends_with(R"("t-0" is named twice.)"));
  CHECK(reordered(sample(), kEdit, {"t-9"}).error().message.ends_with(R"("t-9" is not in it.)"));
  CHECK(reordered(sample(), kEdit, {"t-3", "t-1", "t-0"}).error().message.ends_with(R"(once: "t-2" is missing.)"));
  CHECK(reordered(sample(), kEdit, {"t-3", "t-1"}).error().message.ends_with(R"(once: "t-0", "t-2" are missing.)"));
}

TEST_CASE("read-only is checked before the revision, and both before errors about items") {
  Collection full = with_tracks(sample(), kEdit, tracks_to_add(4, 500)).value().collection;
  full.commercial = true;
  full.revision = 7;
  const std::vector<TrackToAdd> too_much{track_to_add("nc", LicenseId::cc_by_nc_4_0)};
  const auto codes = [&](const Edit& edit) {
    return std::vector<ErrorCode>{code_of(with_settings(full, edit, {"x", {}}, {})),
                                  code_of(with_tracks(full, edit, too_much)),
                                  code_of(with_item_changed(full, edit, "t-1", {"x", {}, {}})),
                                  code_of(without_item(full, edit, "t-1")), code_of(reordered(full, edit, {}))};
  };
  CHECK(codes(kReadOnly) == std::vector<ErrorCode>(5, ErrorCode::read_only));
  CHECK(codes(kReadOnlyAndStale) == std::vector<ErrorCode>(5, ErrorCode::read_only));
  CHECK(codes(kStale) == std::vector<ErrorCode>(5, ErrorCode::stale_revision));
  CHECK(code_of(with_tracks(full, kEdit, too_much)) == ErrorCode::collection_full);  // 13 before 14
  for (const Edit& edit : {kReadOnly, kStale}) {
    CHECK(code_of(without_item(full, edit, "none")) == ErrorCode::not_found);
    CHECK(code_of(with_item_changed(full, edit, "none", {"x", {}, {}})) == ErrorCode::not_found);
  }
}

TEST_CASE("the current revision is accepted, and a request that changes nothing is checked too") {
  CHECK(without_item(sample(), {.revision = 7, .now_s = kNow}, "t-1").has_value());
  CHECK(code_of(with_settings(sample(), kStale, {"Rain", {}}, {})) == ErrorCode::stale_revision);
  CHECK(code_of(with_tracks(sample(), kReadOnly, {track_to_add("t-1")})) == ErrorCode::read_only);
}
