#include "project/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "output/json_values.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

/// Returns the license of a track if it is known and the answer agrees on its terms.
std::optional<LicenseId> known_license(const json::object& track) {
  const auto id = find_license(text_at(track, {"license", "id"}));
  if (!id || bool_at(track, {"terms", "commercial"}) != license(*id).commercial) return std::nullopt;
  return id;
}

std::string label_of(const json::object& track) {
  return "\"" + text_at(track, {"title"}) + "\" (" + text_at(track, {"id"}) + ')';
}

/// A taken-down track has no URL of its audio (TRACK-6), and only ids and URLs find it (CREDIT-21, CREDIT-22).
bool may_be_taken_down(const Match& match) {
  const bool may_be = match.found_by == "id" || match.found_by == "url";
  return may_be && find(*match.track, {"preview_url"}) == nullptr && find(*match.track, {"original_url"}) == nullptr;
}

/// Returns why the track or license of the file is unknown, or an empty text.
std::string reason_unknown(const Evidence& evidence, const Match& match, const Requirements& requirements) {
  if (!evidence.is_readable) return evidence.problem;
  if (!match.track) return "no track of the catalog matches this file";
  if (match.score < requirements.min_score) {
    return fmt::format("perhaps {}, but its score of {} is below {}", label_of(*match.track), match.score,
                       requirements.min_score);
  }
  if (!known_license(*match.track)) return "the license of " + label_of(*match.track) + " is unknown to this version";
  if (may_be_taken_down(match)) return label_of(*match.track) + " may have been taken down: it has no audio URL";
  return {};
}

}  // namespace

JudgedFile judge(const ProjectFile& file, const Evidence& evidence, Match match, const Requirements& requirements) {
  JudgedFile judged{file.path, Verdict::unknown, reason_unknown(evidence, match, requirements),
                    {},        std::move(match), file.times};
  if (evidence.is_readable && !evidence.problem.empty()) judged.notes.push_back(evidence.problem);
  if (!judged.reason.empty()) return judged;
  const auto& terms = license(*known_license(*judged.match.track));
  const bool is_allowed = requirements.use == Use::non_commercial || terms.commercial;
  judged.verdict = is_allowed ? Verdict::allowed : Verdict::not_allowed;
  if (!is_allowed) judged.reason = std::string(terms.name) + " does not allow commercial use";
  if (terms.share_alike) judged.notes.emplace_back("derived works must be shared under the same license");
  return judged;
}

std::string_view text_of(Use use) { return use == Use::commercial ? "commercial use" : "non-commercial use"; }

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::allowed:
      return "allowed";
    case Verdict::not_allowed:
      return "not_allowed";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

CreditEntry credit_of(const JudgedFile& file) {
  const auto& track = *file.match.track;
  const auto id = *known_license(track);
  CreditEntry entry;
  entry.track_id = text_at(track, {"id"});
  entry.title = text_at(track, {"title"});
  entry.artist = text_at(track, {"artist"});
  entry.credit_as = text_at(track, {"credit_as"});
  entry.source_page = text_at(track, {"source_page"});
  entry.license = id;
  entry.license_status =
      text_at(track, {"license", "status"}) == "verified" ? LicenseStatus::verified : LicenseStatus::listed;
  entry.attribution = attribution(id, text_at(track, {"attribution"}) == "requested");
  entry.non_commercial = !license(id).commercial;
  return entry;
}

std::vector<CreditEntry> credits_of(const std::vector<JudgedFile>& files) {
  std::vector<CreditEntry> entries;
  std::set<std::string> seen;
  for (const auto& file : files) {
    if (file.verdict == Verdict::unknown) continue;
    const auto& track = *file.match.track;
    if (!seen.insert(text_at(track, {"id"})).second) continue;
    entries.push_back(credit_of(file));
    entries.back().position = static_cast<std::uint32_t>(entries.size() - 1);
  }
  return entries;
}

}  // namespace tonearm::cli
