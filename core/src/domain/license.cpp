#include "tonearm/license.h"

#include "domain/credit_parts.h"
#include "text/unicode.h"

namespace tonearm {
namespace {

using enum LicenseId;

constexpr bool kYes = true;
constexpr bool kNo = false;

}  // namespace

// LICENSE-1: id, name, commercial, credit required, share-alike, SPDX, text.
const std::array<License, kLicenseCount + 1> kLicenses{{
    {cc0, "cc0", "CC0 1.0", kYes, kNo, kNo, "CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"},
    {cc_by_3_0, "cc-by-3.0", "CC BY 3.0", kYes, kYes, kNo, "CC-BY-3.0", "https://creativecommons.org/licenses/by/3.0/"},
    {cc_by_4_0, "cc-by-4.0", "CC BY 4.0", kYes, kYes, kNo, "CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"},
    {oga_by_3_0, "oga-by-3.0", "OGA-BY 3.0", kYes, kYes, kNo, "LicenseRef-OGA-BY-3.0",
     "https://static.opengameart.org/OGA-BY-3.0.txt"},
    {oga_by_4_0, "oga-by-4.0", "OGA-BY 4.0", kYes, kYes, kNo, "LicenseRef-OGA-BY-4.0",
     "https://static.opengameart.org/OGA-BY-4.0.txt"},
    {cc_by_sa_3_0, "cc-by-sa-3.0", "CC BY-SA 3.0", kYes, kYes, kYes, "CC-BY-SA-3.0",
     "https://creativecommons.org/licenses/by-sa/3.0/"},
    {cc_by_sa_4_0, "cc-by-sa-4.0", "CC BY-SA 4.0", kYes, kYes, kYes, "CC-BY-SA-4.0",
     "https://creativecommons.org/licenses/by-sa/4.0/"},
    {cc_by_nc_3_0, "cc-by-nc-3.0", "CC BY-NC 3.0", kNo, kYes, kNo, "CC-BY-NC-3.0",
     "https://creativecommons.org/licenses/by-nc/3.0/"},
    {cc_by_nc_4_0, "cc-by-nc-4.0", "CC BY-NC 4.0", kNo, kYes, kNo, "CC-BY-NC-4.0",
     "https://creativecommons.org/licenses/by-nc/4.0/"},
    {cc_by_nc_sa_3_0, "cc-by-nc-sa-3.0", "CC BY-NC-SA 3.0", kNo, kYes, kYes, "CC-BY-NC-SA-3.0",
     "https://creativecommons.org/licenses/by-nc-sa/3.0/"},
    {cc_by_nc_sa_4_0, "cc-by-nc-sa-4.0", "CC BY-NC-SA 4.0", kNo, kYes, kYes, "CC-BY-NC-SA-4.0",
     "https://creativecommons.org/licenses/by-nc-sa/4.0/"},
    // BUILD-3: commercial false, credit required, url null.
    {unknown, "unknown", "Unknown license", kNo, kYes, kNo, "NOASSERTION", ""},
}};

const License& license(LicenseId id) { return kLicenses[static_cast<std::size_t>(id)]; }

std::optional<LicenseId> find_license(std::string_view name_id) {
  for (std::size_t i = 0; i < kLicenseCount; ++i) {
    if (kLicenses[i].name_id == name_id) return kLicenses[i].id;
  }
  return std::nullopt;
}

Attribution attribution(LicenseId id, bool credit_requested) {
  if (license(id).credit_required) return Attribution::required;
  return credit_requested ? Attribution::requested : Attribution::optional;
}

std::string_view to_string(Attribution value) {
  constexpr std::array<std::string_view, 3> kNames{"optional", "requested", "required"};
  return kNames[static_cast<std::size_t>(value)];
}

std::string_view to_string(LicenseStatus value) { return value == LicenseStatus::verified ? "verified" : "listed"; }

CreditParts credit_parts(const Credit& credit) {
  // A dedication is "marked with", never "licensed under" (LICENSE-4).
  std::string_view grant = " is licensed under ";
  if (credit.license == LicenseId::cc0) grant = " is marked with ";
  if (credit.license == LicenseId::unknown) grant = " has no known license.";
  return {text::one_line(credit.title), text::one_line(credit.artist), text::one_line(credit.source_page), grant,
          license(credit.license)};
}

std::string credit_line(const Credit& credit) {
  const CreditParts parts = credit_parts(credit);
  std::string line = parts.title.empty() ? std::string(kUntitledWork) : '"' + parts.title + '"';
  if (!parts.artist.empty()) line += " by " + parts.artist;
  if (!parts.source_page.empty()) line += " (" + parts.source_page + ')';
  line += parts.grant;
  if (!parts.is_licensed()) return line;
  line += parts.license.name;
  line +=
      parts.license.id == LicenseId::cc0 ? ". To view the terms, visit " : ". To view a copy of this license, visit ";
  line += parts.license.url;
  return line + '.';
}

}  // namespace tonearm
