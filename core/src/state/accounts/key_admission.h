#pragma once
// Admission of calls by API key. Implementations are safe for concurrent calls.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "domain/plan.h"

namespace tonearm::state {

struct Admission {
  enum class Outcome : std::uint8_t { invalid_key, refused, admitted };
  Outcome outcome = Outcome::invalid_key;
  std::string account;
  std::string key_id;
  Plan plan = Plan::free;
  bool first_party = false;
  std::optional<RateState> rate;  // none for unlimited plans and session keys (LIMIT-8)
  std::int64_t now_ms = 0;
  std::int64_t call_number = 0;  // if the store assigns numbers; else 0
};

/// Whether an admitted call counts towards the limits. Whether a message to `/mcp` counts depends on its body (MCP-5),
/// so its key is checked first without counting.
enum class Counting : std::uint8_t { counted, uncounted };

class KeyAdmission {
 public:
  virtual ~KeyAdmission() = default;

  /// Checks the presented key and counts the call in one step (CHECK-3, CHECK-4). An uncounted call is never refused
  /// because of a limit. Throws sql::Failure.
  virtual Admission admit(std::string_view key, Counting counting = Counting::counted) = 0;
  /// Does the same without blocking. Returns nothing, and counts nothing, if the store must be read or written first.
  virtual std::optional<Admission> try_admit(std::string_view /*key*/, Counting /*counting*/) { return std::nullopt; }
};

}  // namespace tonearm::state
