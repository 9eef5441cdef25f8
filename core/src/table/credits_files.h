#pragma once
// The formats that the credits of a collection are exported in (CREDIT-1): one row each. JSON is the answer itself, all
// others are files. Constant.

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
  std::string (*write)(std::span<const CreditEntry> entries);
};

inline constexpr std::array kCreditsFiles{
    CreditsFile{"text", "text/plain", "txt", credits_text},
    CreditsFile{"markdown", "text/markdown", "md", credits_markdown},
    CreditsFile{"csv", "text/csv", "csv", credits_csv},
};

/// Values of the parameter `format`: JSON, then the files in their order.
inline constexpr auto kCreditsFormats = [] {
  std::array<std::string_view, kCreditsFiles.size() + 1> names{"json"};
  for (std::size_t i = 0; i < kCreditsFiles.size(); ++i) names[i + 1] = kCreditsFiles[i].format;
  return names;
}();
inline constexpr auto kCreditsMediaTypes = [] {
  std::array<std::string_view, kCreditsFiles.size()> types{};
  for (std::size_t i = 0; i < kCreditsFiles.size(); ++i) types[i] = kCreditsFiles[i].media_type;
  return types;
}();

}  // namespace tonearm::table
