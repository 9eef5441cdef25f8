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

/// Its texts live as long as the program.
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

inline constexpr std::size_t kLicenseCount = 11;  // those that may be offered; `unknown` comes after them

/// Indexed by LicenseId, `unknown` last.
extern const std::array<License, kLicenseCount + 1> kLicenses;

const License& license(LicenseId id);
/// Finds one of the eleven by its wire id ("cc-by-4.0"); nothing for any other, `unknown` included.
std::optional<LicenseId> find_license(std::string_view name_id);

/// LICENSE-2: required where the license requires credit; else requested where asked for; else optional.
Attribution attribution(LicenseId id, bool credit_requested);

/// Texts that live as long as the program.
std::string_view to_string(Attribution value);
std::string_view to_string(LicenseStatus value);

/// What `credit_line` is made of: views that are read during the call alone.
struct Credit {
  std::string_view title;
  std::string_view artist;
  std::string_view source_page;  // empty: none
  LicenseId license = LicenseId::cc0;
};

/// The ready-to-paste credit line (LICENSE-3 to LICENSE-6): UTF-8 in, UTF-8 out, one line.
/// Control and bidirectional-override characters are stripped and line breaks collapsed to one space.
std::string credit_line(const Credit& credit);

}  // namespace tonearm
