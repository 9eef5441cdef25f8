#pragma once
// The tracks that an operator took down since the catalog was built (TAKEDOWN-1). Changes are durable when a function
// returns. Safe for concurrent calls. Each function throws sql::Failure.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

inline constexpr std::size_t kTakeDownsMax = 10'000;

struct TakeDown {
  std::string track_id;
  std::string reason;
  std::string added;  // RFC 3339, in UTC

  friend bool operator==(const TakeDown&, const TakeDown&) = default;
};

struct AddedTakeDown {
  TakeDown take_down;
  bool is_new = false;
};

struct TakeDownsQuery {
  std::uint32_t limit = 1'000;
  std::string after;  // a track id; empty: start with the first
};
struct TakeDownsPage {
  std::vector<TakeDown> take_downs;
  std::uint64_t total = 0;
  std::optional<std::string> after;  // for the next page; none: this is the last
};

class TakeDowns {
 public:
  /// Clock and store outlive the object. `on_change` is called after each stored change; may be empty. `count_max`: the
  /// largest number of take-downs.
  TakeDowns(Clock& clock, sql::Store& store, std::function<void()> on_change = {},
            std::size_t count_max = kTakeDownsMax)
      : clock_(clock), store_(store), on_change_(std::move(on_change)), count_max_(count_max) {}

  /// An empty `added` means now. A track that is already taken down keeps its time, and gets the new reason, but not
  /// from an import, which gives `added` (MOVE-6). Errors: invalid_request if there are `count_max`.
  Result<AddedTakeDown> add(const TakeDown& take_down);
  /// Errors: not_found.
  Result<void> remove(const std::string& track_id);
  /// Sorted by id.
  TakeDownsPage list(const TakeDownsQuery& query);

  /// Returns the ids of all, sorted.
  std::vector<std::string> track_ids();
  /// Returns the number of changes since the state was created.
  std::int64_t changes();

 private:
  Clock& clock_;
  sql::Store& store_;
  std::function<void()> on_change_;
  std::size_t count_max_;
};

}  // namespace tonearm::state
