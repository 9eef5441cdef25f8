#include "folder/track_row.h"

#include <algorithm>
#include <boost/regex.hpp>

#include "folder/folder_source.h"
#include "measuring/character.h"
#include "text/unicode.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"
#include "values/decimal.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

constexpr std::uint64_t kMusicMs = 30'000;

std::string kind_of(const FileFields& stated, const audio::Measurements& measured, const std::string& fallback,
                    const FacetWords& words) {
  if (const auto found = stated.find("kind"); found != stated.end()) {
    const auto kind = ascii::to_lower(found->second);
    return kind == "effect" || kind == "sound" ? "sfx" : kind;
  }
  if (!fallback.empty()) return fallback;
  if (const auto genre = stated.find("genre"); genre != stated.end() && text::is_utf8(genre->second)) {
    if (!targets_of(words, {Facet::genre}, text::fold_case(genre->second)).empty()) return "music";
  }
  return measured.duration_ms >= kMusicMs && measured.bpm_hundredths != 0 && !measured.is_voice ? "music" : "sfx";
}

std::string thousandths_text(std::uint64_t value) {
  auto digits = std::to_string(value % 1000);
  digits.insert(0, 3 - digits.size(), '0');
  return std::to_string(value / 1000) + "." + digits;
}

bool is_yes(const std::string& text) {
  const auto word = ascii::to_lower(text);
  return word == "true" || word == "yes" || word == "1" || word == "loop";
}

}  // namespace

std::string host_of(const std::string& page) {
  if (!is_http_url(page)) return {};
  auto host = ascii::to_lower(text::parse_web_address(page).value_or(text::WebAddress{}).host);
  if (host.starts_with("www.")) host.erase(0, 4);
  return normalized_domain(host).value_or("");
}

PageIdentity identity_of_page(const std::string& page) {
  static const boost::regex kFreesound(
      R"(^https?://(?:www\.)?freesound\.org/(?:people/[^/]+/sounds|s)/(\d{1,15})(?:/|$))");
  static const boost::regex kIncompetech(R"(^https?://(?:www\.)?incompetech\.com/.*[?&]isrc=(\w+)$)");
  boost::smatch match;
  if (boost::regex_search(page, match, kFreesound)) return {"freesound", match[1].str(), true};
  if (boost::regex_search(page, match, kIncompetech)) return {"incompetech", match[1].str(), false};
  return {};
}

std::uint32_t quality_of(const audio::Measurements& measured) {
  constexpr std::uint32_t kBest = 900;
  constexpr std::uint32_t kFullBandHz = 16'000;
  std::uint32_t loss = std::min(measured.clipped_thousandths * 20, 300U);
  if (measured.bandwidth_hz < kFullBandHz) loss += (kFullBandHz - measured.bandwidth_hz) / 40;
  loss += measured.silence_thousandths / 5;
  if (!measured.loudness_tenths || *measured.loudness_tenths < -500) loss += 100;
  return kBest - std::min(loss, kBest - 50);
}

bool tempo_differs(const std::string& stated, std::uint32_t bpm_hundredths) {
  const auto value = scale_decimal(stated, 2);
  if (!value || *value == 0 || bpm_hundredths == 0) return false;
  const auto near = [&](std::uint64_t other) { return *value * 25 >= other * 24 && *value * 25 <= other * 26; };
  return !near(bpm_hundredths) && !near(std::uint64_t{bpm_hundredths} * 2) && !near(bpm_hundredths / 2);
}

Row row_of(const FileFields& stated, const audio::Measurements& measured, const std::string& path,
           const std::string& fallback_kind, const FacetWords& words) {
  Row row;
  const auto set = [&](const std::string& column, std::string value) {
    if (!value.empty()) row.cells[column] = {std::move(value)};
  };
  for (const auto& [key, value] : stated) set(key, value);
  set("kind", kind_of(stated, measured, fallback_kind, words));
  if (!stated.contains("title")) set("title", title_of_name(path));
  set("duration_s", thousandths_text(measured.duration_ms));
  const auto bpm = stated.find("bpm");
  if (bpm == stated.end() || !is_json_number(bpm->second)) {
    row.cells.erase("bpm");
    if (measured.bpm_hundredths != 0) set("bpm", thousandths_text(std::uint64_t{measured.bpm_hundredths} * 10));
  }
  if (const auto energy = audio::energy_word(measured); energy && !stated.contains("energy")) {
    set("energy", std::string(kEnergyNames.at(static_cast<std::size_t>(*energy))));
  }
  if (const auto tone = audio::tone_word(measured); tone && !stated.contains("tone")) {
    set("tone", std::string(kToneNames.at(static_cast<std::size_t>(*tone))));
  }
  if (!stated.contains("quality")) set("quality", thousandths_text(quality_of(measured)));
  const auto loop = stated.find("loop");
  const bool is_loop = loop == stated.end() ? measured.is_seamless_loop : is_yes(loop->second);
  set("loop", is_loop ? "true" : "false");
  return row;
}

}  // namespace tonearm::builder
