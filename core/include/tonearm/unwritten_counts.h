#pragma once
// Memory for the counts of an account's calls that are not in the tables of its store yet (HOST-61). A host that gives
// each account a store may provide it.

#include <string>
#include <string_view>

namespace tonearm {

/// Belongs to the store that is current, and is emptied with it. If a transaction of the store is rolled back, so are
/// the replacements that were made in it. Not safe for concurrent calls.
class UnwrittenCounts {
 public:
  virtual ~UnwrittenCounts() = default;
  /// Returns what `replace` was last called with. Empty: the tables have all counts.
  virtual std::string read() = 0;
  /// Must not throw.
  virtual void replace(std::string_view counts) = 0;
};

}  // namespace tonearm
