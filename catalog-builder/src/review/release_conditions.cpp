#include "review/release_conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>
#include <utility>

#include "input/line_reader.h"
#include "text/unicode.h"
#include "tonearm/license.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

constexpr std::uint64_t kWholePercent = 100;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

bool ReleaseConditions::add(const std::string& text) {
  if (text == "license-change") {
    license_change = true;
    return true;
  }
  const auto equals = text.find('=');
  const auto number = equals == std::string::npos ? std::nullopt : number_of(std::string_view(text).substr(equals + 1));
  if (!number) return false;
  const auto name = text.substr(0, equals);
  if (name == "source-below" && *number <= kWholePercent) {
    source_below_percent = number;
    return true;
  }
  if (name == "removed-above") {
    removed_above = number;
    return true;
  }
  return false;
}

void approve(Comparison& comparison, const std::string& path) {
  std::set<std::array<std::string, 3>> approved;  // id, license before and after
  LineReader lines(path);
  while (lines.next()) {
    const auto where = path + ":" + std::to_string(lines.number()) + ": ";
    std::istringstream words(lines.line().substr(0, lines.line().find('#')));
    std::array<std::string, 3> change;
    auto& [id, before, after] = change;
    std::string more;
    if (!(words >> id)) continue;
    if (lines.too_long() || !(words >> before >> after) || words >> more) {
      throw Failure(where + "needs the id of a track, and the ids of its license before and after");
    }
    for (const std::string& license_id : {before, after}) {
      if (!find_license(license_id)) throw Failure(where + text::quotable(license_id) + " is not a license id");
    }
    approved.insert(std::move(change));
  }
  for (auto& change : comparison.license_changes) {
    change.is_approved = approved.contains({change.id, change.license_before, change.license_after});
  }
}

std::vector<std::string> failed_conditions(const Comparison& comparison, const ReleaseConditions& conditions) {
  std::vector<std::string> failed;
  if (conditions.license_change) {
    const auto count = std::count_if(comparison.license_changes.begin(), comparison.license_changes.end(),
                                     [](const LicenseChange& change) { return !change.is_approved; });
    if (count > 0) failed.push_back("license-change: " + std::to_string(count) + " license changes are not approved");
  }
  if (conditions.source_below_percent) {
    const auto percent = *conditions.source_below_percent;
    for (const auto& [source, change] : comparison.sources) {
      if (change.after * kWholePercent >= change.before * percent) continue;
      failed.push_back("source-below: " + source + " has " + std::to_string(change.after) + " of " +
                       std::to_string(change.before) + " tracks, less than " + std::to_string(percent) + " %");
    }
  }
  if (conditions.removed_above && comparison.removed_count > *conditions.removed_above) {
    failed.push_back("removed-above: " + std::to_string(comparison.removed_count) + " tracks are removed, more than " +
                     std::to_string(*conditions.removed_above));
  }
  return failed;
}

}  // namespace tonearm::builder
