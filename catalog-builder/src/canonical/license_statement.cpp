#include "canonical/license_statement.h"

#include <string_view>

#include "canonical/check.h"

namespace tonearm::builder {
namespace {

constexpr unsigned kCredit = 1;
constexpr unsigned kShareAlike = 2;
constexpr unsigned kNonCommercial = 4;
constexpr unsigned kUnsupported = 8 + kCredit + kShareAlike + kNonCommercial;

unsigned conditions(std::string_view id) {
  if (id.empty()) return kUnsupported;
  if (id == "cc0") return 0;
  const auto has = [&](std::string_view part) { return (std::string(id) + "-").find(part) != std::string::npos; };
  return kCredit | (has("-sa-") ? kShareAlike : 0U) | (has("-nc-") ? kNonCommercial : 0U);
}

/// Compares two licenses with the same conditions: CC is stricter than OGA-BY, even without version; an older version
/// is stricter than a newer one, and any version than none.
bool is_stricter_version(std::string_view one, std::string_view other) {
  const auto rank = [](std::string_view id) {
    const int version = id.ends_with("3.0") ? 1 : id.ends_with("4.0") ? 2 : 3;
    return version + (id.starts_with("oga-") ? 3 : 0);
  };
  return rank(one) < rank(other);
}

std::string_view without_version(std::string_view id) { return id.ends_with(".0") ? id.substr(0, id.size() - 4) : id; }

bool concerns_license(Reason reason) {
  switch (reason) {
    case Reason::license_unknown:
    case Reason::license_ambiguous:
    case Reason::license_not_offered:
    case Reason::license_ported:
    case Reason::license_old_version:
    case Reason::sampling:
    case Reason::no_derivatives:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<LicenseStatement> statement_of(const std::variant<Line, Rejection>& line) {
  const auto* rejection = std::get_if<Rejection>(&line);
  if (rejection != nullptr && concerns_license(rejection->reason)) return LicenseStatement{};
  const auto& id = rejection != nullptr ? rejection->license : std::get<Line>(line).license;
  if (!id || id->empty()) return std::nullopt;
  const bool is_supported = find_license(*id) || lacks_version(*id);
  return LicenseStatement{is_supported ? *id : std::string(), 0, 0};
}

bool may_be_same_license(std::string_view one, std::string_view other) {
  if (one == other) return true;
  return (lacks_version(one) || lacks_version(other)) && without_version(one) == without_version(other);
}

Resolution resolve(const std::vector<LicenseStatement>& stated) {
  unsigned all = 0;
  for (const auto& one : stated) all |= conditions(one.id);
  Resolution result;
  result.is_contradictory = true;
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (conditions(stated[i].id) != all) continue;
    if (result.is_contradictory || is_stricter_version(stated[i].id, stated[result.chosen].id)) result.chosen = i;
    result.is_contradictory = false;
  }
  for (std::size_t i = 0; i < stated.size() && !result.differing; ++i) {
    if (!may_be_same_license(stated[i].id, stated[result.chosen].id)) result.differing = i;
  }
  return result;
}

}  // namespace tonearm::builder
