#pragma once
// The formats of exported credits (CREDIT-1), one row each. JSON is an ordinary answer; all others are files. Constant.

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "domain/credits.h"

namespace tonearm::table {

struct CreditsFile {
  std::string_view format;  // the value of the parameter `format`
  std::string_view media_type;
  std::string_view extension;
  std::string (*write)(std::span<const CreditEntry> entries, const CreditsOptions& options);
};

inline constexpr std::array kCreditsFiles{
    CreditsFile{"text", "text/plain", "txt", credits_text},
    CreditsFile{"markdown", "text/markdown", "md", credits_markdown},
    CreditsFile{"csv", "text/csv", "csv", credits_csv},
    CreditsFile{"html", "text/html", "html", credits_html},
    CreditsFile{"youtube", "text/plain", "youtube.txt", credits_youtube},
    CreditsFile{"reuse", "application/toml", "toml", credits_reuse},
    CreditsFile{"attributions", "application/yaml", "yaml", credits_attributions},
};

/// The values of the parameter `format`: JSON, then the files in their order.
inline constexpr auto kCreditsFormats = [] {
  std::array<std::string_view, kCreditsFiles.size() + 1> names{"json"};
  for (std::size_t i = 0; i < kCreditsFiles.size(); ++i) names[i + 1] = kCreditsFiles[i].format;
  return names;
}();
namespace detail {

/// Returns whether an earlier format has the same media type.
constexpr bool is_repeated_type(std::size_t file) {
  for (std::size_t i = 0; i < file; ++i) {
    if (kCreditsFiles[i].media_type == kCreditsFiles[file].media_type) return true;
  }
  return false;
}
constexpr std::size_t credits_media_type_count() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kCreditsFiles.size(); ++i) count += is_repeated_type(i) ? 0U : 1U;
  return count;
}

}  // namespace detail

/// The media types, each once.
inline constexpr auto kCreditsMediaTypes = [] {
  std::array<std::string_view, detail::credits_media_type_count()> types{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < kCreditsFiles.size(); ++i) {
    if (!detail::is_repeated_type(i)) types[at++] = kCreditsFiles[i].media_type;
  }
  return types;
}();

}  // namespace tonearm::table
