#include "links/findings.h"

#include <doctest/doctest.h>

namespace tonearm::builder {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;
const std::string kBy = "https://creativecommons.org/licenses/by/4.0/";
const std::string kNc = "https://creativecommons.org/licenses/by-nc/4.0/";

Track track() {
  Track track;
  track.id = "a-1";
  track.license = LicenseId::cc_by_4_0;
  track.preview_url = "https://a.example/p";
  track.original_url = "https://a.example/o";
  track.source_page = "https://a.example/s";
  return track;
}

LinkRecord record(LinkState state) {
  LinkRecord record;
  record.state = state;
  record.checked_s = 100 * kDaySeconds;
  return record;
}

LinkRecord failing(std::uint32_t failures, std::int64_t days) {
  LinkRecord record = builder::record(LinkState::unreachable);
  record.failures = failures;
  record.failing_since_s = record.checked_s - days * kDaySeconds;
  return record;
}

LinkRecord page(std::set<std::string> licenses) {
  LinkRecord record = builder::record(LinkState::ok);
  record.licenses = std::move(licenses);
  return record;
}

}  // namespace

// LINK-4
TEST_CASE("URLs of audio that is gone are removed in the next build") {
  Track changed = track();
  LinkEffects effects;
  apply_findings({{"https://a.example/p", record(LinkState::gone)}, {"https://a.example/o", failing(3, 7)}}, changed,
                 effects);
  CHECK(changed.preview_url.empty());
  CHECK(changed.original_url.empty());
  CHECK(changed.quality == track().quality);
  CHECK(effects.previews_dropped == 1);
  CHECK(effects.originals_dropped == 1);
}

TEST_CASE("a temporary failure changes nothing, nor does a host that forbids robots") {
  for (const LinkRecord& found : {failing(2, 30), failing(30, 6), record(LinkState::refused),
                                  record(LinkState::not_public), record(LinkState::ok)}) {
    Track changed = track();
    LinkEffects effects;
    apply_findings({{changed.preview_url, found}, {changed.original_url, found}, {changed.source_page, found}}, changed,
                   effects);
    CHECK(changed.preview_url == track().preview_url);
    CHECK(changed.original_url == track().original_url);
    CHECK(changed.quality == track().quality);
    CHECK(changed.license_status == LicenseStatus::listed);
  }
}

TEST_CASE("a page that names only the license verifies it") {
  for (const auto& [named, is_verified] : std::vector<std::pair<std::set<std::string>, bool>>{
           {{kBy}, true}, {{kBy, kNc}, false}, {{kNc}, false}, {{}, false}}) {
    Track changed = track();
    LinkEffects effects;
    apply_findings({{changed.source_page, page(named)}}, changed, effects);
    CHECK((changed.license_status == LicenseStatus::verified) == is_verified);
    CHECK(effects.verified == (is_verified ? 1 : 0));
    CHECK(effects.differences.size() == (named == std::set<std::string>{kNc} ? 1 : 0));
    CHECK(changed.license == LicenseId::cc_by_4_0);
  }
}

TEST_CASE("a track whose page is gone loses quality, but never below 0") {
  for (const auto& [before, after] : {std::pair(500, 400), std::pair(30, 0)}) {
    Track changed = track();
    changed.quality = static_cast<std::uint16_t>(before);
    LinkEffects effects;
    apply_findings({{changed.source_page, record(LinkState::gone)}}, changed, effects);
    CHECK(changed.quality == after);
    CHECK(effects.pages_gone == 1);
  }
}

}  // namespace tonearm::builder
