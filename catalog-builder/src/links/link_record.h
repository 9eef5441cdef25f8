#pragma once
// The result of checking a URL, and the file that stores results between checks (LINK-3).

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tonearm::builder {

enum class LinkState : std::uint8_t {
  ok,
  gone,         // the host says that it does not exist, or sends a page instead of audio
  unreachable,  // no response, or a temporary error
  refused,      // the host does not allow the check; it may allow others
  not_public,   // the URL leads to a private network
};
inline constexpr std::array<std::string_view, 5> kLinkStateNames{"ok", "gone", "unreachable", "refused", "not_public"};

struct LinkRecord {
  LinkState state = LinkState::ok;
  std::string reason;                // plain English: "404", "not found in the DNS"
  std::int64_t checked_s = 0;        // Unix time
  std::uint32_t failures = 0;        // consecutive checks that found it unreachable
  std::int64_t failing_since_s = 0;  // the first of these checks; 0: none
  std::set<std::string> licenses;    // that the page names (`licenses_in`); only for pages

  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

/// Records by URL, exactly as in the catalog.
using LinkRecords = std::map<std::string, LinkRecord, std::less<>>;

/// Returns one line of the file, without its line feed.
std::string link_line(std::string_view url, const LinkRecord& record);

/// Reads a file of results: JSON Lines; the last line for a URL counts. An incomplete last line is ignored. Throws
/// Failure, with the line number, for any other malformed line or a missing file.
LinkRecords read_link_records(const std::string& path);

/// Appends results to the file during a check. Each is durable when `append` returns. The file is locked against other
/// processes.
class LinkJournal {
 public:
  /// Throws Failure if the file cannot be written or is locked.
  explicit LinkJournal(std::string path);
  ~LinkJournal();
  LinkJournal(const LinkJournal&) = delete;
  LinkJournal& operator=(const LinkJournal&) = delete;

  void append(std::string_view url, const LinkRecord& record);
  /// Replaces the file with one line for each URL, sorted by URL.
  void compact(const LinkRecords& records);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace tonearm::builder
