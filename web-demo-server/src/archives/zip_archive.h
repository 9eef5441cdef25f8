#pragma once
// Writes a ZIP archive in memory with libzip. Pure; for one thread at a time.

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::web {

struct ArchiveEntry {
  std::string name;
  std::string bytes;
};

/// Returns `text` as a part of the name of an entry: every character other than letters, digits, `-`, `_` and `.`
/// becomes
/// `_`, and so does a leading `.`, so that no name leaves the folder into which an archive is extracted.
std::string entry_name(std::string_view text);

/// The largest total size of the entries.
inline constexpr std::size_t kArchiveBytesMax = 32'000'000;

/// Throws std::runtime_error if the entries are larger than kArchiveBytesMax, or if libzip fails.
std::string zip_archive(const std::vector<ArchiveEntry>& entries);

}  // namespace tonearm::web
