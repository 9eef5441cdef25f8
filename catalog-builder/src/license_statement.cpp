#include "license_statement.h"

#include <string_view>

namespace tonearm::builder {
namespace {

constexpr unsigned kCredit = 1;
constexpr unsigned kShareAlike = 2;
constexpr unsigned kNonCommercial = 4;
constexpr unsigned kNotTaken = 8 + kCredit + kShareAlike + kNonCommercial;

unsigned conditions(std::string_view id) {
  if (id.empty()) return kNotTaken;
  if (id == "cc0" || id == "cc-zero") return 0;
  const auto has = [&](std::string_view part) { return (std::string(id) + "-").find(part) != std::string::npos; };
  return kCredit | (has("-sa-") ? kShareAlike : 0U) | (has("-nc-") ? kNonCommercial : 0U);
}

/// Less is stricter; 0 where the version is not stated.
int mildness(std::string_view id) {
  const int version = id.ends_with("3.0") ? 1 : id.ends_with("4.0") ? 2 : 0;
  return version == 0 ? 0 : version + (id.starts_with("oga-") ? 2 : 0);
}

bool is_about_license(Reason reason) {
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

std::optional<LicenseStatement> statement_of(const std::variant<Line, Fault>& line) {
  if (const auto* fault = std::get_if<Fault>(&line)) {
    return is_about_license(fault->reason) ? std::optional(LicenseStatement{}) : std::nullopt;
  }
  const auto& id = std::get<Line>(line).license;
  if (!id || id->empty()) return std::nullopt;
  return LicenseStatement{*id, 0, {}};
}

bool is_stricter(const LicenseStatement& one, const LicenseStatement& other) {
  const auto first = conditions(one.id);
  const auto second = conditions(other.id);
  if (first != second) return (first & second) == second;
  return mildness(one.id) != 0 && mildness(other.id) != 0 && mildness(one.id) < mildness(other.id);
}

bool are_at_odds(const LicenseStatement& one, const LicenseStatement& other) {
  const auto both = conditions(one.id) & conditions(other.id);
  return both != conditions(one.id) && both != conditions(other.id);
}

}  // namespace tonearm::builder
