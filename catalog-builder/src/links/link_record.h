#pragma once
// What is known of an address of the web, and the file that keeps it from one check to the next (LINK-3).

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
  gone,         // the host says that there is no such thing, or gives a page in the place of audio
  unreachable,  // no answer, or one that says: later
  refused,      // the host does not let us look; it may let others
  not_public,   // the address leads into a private network
};
inline constexpr std::array<std::string_view, 5> kLinkStateNames{"ok", "gone", "unreachable", "refused", "not_public"};

struct LinkRecord {
  LinkState state = LinkState::ok;
  std::string reason;                // plain English: "404", "not found in the DNS"
  std::int64_t checked_s = 0;        // Unix time
  std::uint32_t failures = 0;        // checks in a row that found it unreachable
  std::int64_t failing_since_s = 0;  // the first of them; 0: none
  std::set<std::string> licenses;    // that the page names (`licenses_named`); of pages alone

  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

/// By address, as it stands in the catalog.
using LinkRecords = std::map<std::string, LinkRecord, std::less<>>;

/// One line of the file, without its end.
std::string link_line(std::string_view url, const LinkRecord& record);

/// Reads a file of results: JSON Lines, of which the last about an address counts. A last line that was cut off is as
/// good as none. Throws Failure, with the line, for anything else, and where there is no such file.
LinkRecords read_link_records(const std::string& path);

/// The results of a check as they come in: each is in the file before the next is asked for. Only one process can hold
/// a file.
class LinkJournal {
 public:
  /// Throws Failure if the file cannot be written, or another process holds it.
  explicit LinkJournal(std::string path);
  ~LinkJournal();
  LinkJournal(const LinkJournal&) = delete;
  LinkJournal& operator=(const LinkJournal&) = delete;

  void append(std::string_view url, const LinkRecord& record);
  /// Replaces the file by one line for each address, in the order of the addresses.
  void tidy(const LinkRecords& records);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace tonearm::builder
