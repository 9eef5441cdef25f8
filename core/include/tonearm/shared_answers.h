#pragma once
// A cache of whole catalog answers that several processes share, beside the cache of each service. A host may provide
// one.

#include <optional>
#include <string>
#include <string_view>

namespace tonearm {

/// Keys and entries are opaque bytes. A key names the answer and the version of the catalog, and an entry contains
/// nothing about an account. Entries of another release of the core must not be returned. Called by the service's
/// threads.
class SharedAnswers {
 public:
  virtual ~SharedAnswers() = default;
  /// Returns what `store` was given for this key, or nothing if it is not available at once.
  virtual std::optional<std::string> find(std::string_view key) = 0;
  /// Offers an entry. Must not throw.
  virtual void store(std::string_view key, std::string_view entry) = 0;
};

}  // namespace tonearm
