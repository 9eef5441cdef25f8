#pragma once
// Licenses, their terms, attribution and credit lines: LICENSE-1 as one table. Pure, thread-safe.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tonearm {

enum class LicenseId : std::uint8_t {
  cc0,
  cc_by_3_0,
  cc_by_4_0,
  oga_by_3_0,
  oga_by_4_0,
  cc_by_sa_3_0,
  cc_by_sa_4_0,
  cc_by_nc_3_0,
  cc_by_nc_4_0,
  cc_by_nc_sa_3_0,
  cc_by_nc_sa_4_0,
  unknown,  // only in evaluation snapshots (BUILD-3)
};

enum class LicenseStatus : std::uint8_t { listed, verified };
enum class Attribution : std::uint8_t { optional, requested, required };

/// Its texts have static lifetime.
struct License {
  LicenseId id;
  std::string_view name_id;  // "cc-by-4.0"
  std::string_view name;     // "CC BY 4.0"
  bool commercial;
  bool credit_required;
  bool share_alike;
  std::string_view spdx;
  std::string_view url;  // empty for `unknown`: null in JSON
};

inline constexpr std::size_t kLicenseCount = 11;  // the licenses that may be offered; `unknown` follows them

/// Indexed by LicenseId; `unknown` is last.
extern const std::array<License, kLicenseCount + 1> kLicenses;

const License& license(LicenseId id);
/// Finds one of the eleven licenses by its wire id ("cc-by-4.0"); returns nothing for any other id, including
/// `unknown`.
std::optional<LicenseId> find_license(std::string_view name_id);

/// LICENSE-2: required if the license requires credit; otherwise requested if credit was requested; otherwise optional.
Attribution attribution(LicenseId id, bool credit_requested);

/// Texts of static lifetime.
std::string_view to_string(Attribution value);
std::string_view to_string(LicenseStatus value);

/// The parts of a credit line: views that are read only during the call.
struct Credit {
  std::string_view title;
  std::string_view artist;       // the name to credit
  std::string_view source_page;  // empty: none
  LicenseId license = LicenseId::cc0;
};

/// Returns the name to credit: how the creator asks to be credited, else the artist (LICENSE-8).
inline std::string_view credited_name(std::string_view artist, std::string_view credit_as) {
  return credit_as.empty() ? artist : credit_as;
}

/// Returns the ready-to-paste credit line (LICENSE-3 to LICENSE-6) as one line of UTF-8. Strips control and
/// bidirectional-override characters and collapses line breaks to one space.
std::string credit_line(const Credit& credit);

}  // namespace tonearm
