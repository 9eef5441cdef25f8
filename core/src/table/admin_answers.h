#pragma once
// The types of the admin interface's answers (ADMIN-3).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reflection/object_type.h"
#include "state/accounts/account_administration.h"
#include "state/calls/call_log.h"
#include "state/take_downs/take_downs.h"

namespace tonearm::table {

struct AccountsView {
  const std::vector<state::AccountInfo>& accounts;
  std::uint64_t total = 0;
  std::optional<std::string> cursor = std::nullopt;
};
struct KeysView {
  const std::vector<state::KeyInfo>& keys;
};
struct CallsView {
  const std::vector<state::CallRecord>& calls;
};
struct UsageView {
  const std::vector<state::DayUsage>& days;
};
struct LimitsView {
  const state::AccountLimits& limits;
};
/// A take-down, and whether the served catalog has the track.
struct TakeDownView {
  state::TakeDown take_down;
  std::optional<bool> in_catalog = std::nullopt;  // none: not known here
};
struct TakeDownsView {
  const std::vector<TakeDownView>& take_downs;
  std::uint64_t total = 0;
  std::optional<std::string> cursor = std::nullopt;
};
struct DoneView {};

extern const Type<state::AccountInfo> kAccountType;
extern const Type<AccountsView> kAccountsType;
extern const Type<state::NewKey> kNewKeyType;
extern const Type<KeysView> kKeysType;
extern const Type<CallsView> kCallsType;
extern const Type<UsageView> kUsageType;
extern const Type<LimitsView> kLimitsType;
extern const Type<state::AccountMove> kAccountMoveType;
extern const Type<TakeDownView> kTakeDownType;
extern const Type<TakeDownsView> kTakeDownsType;
extern const Type<DoneView> kDeletedType;
extern const Type<DoneView> kRevokedType;
extern const Type<DoneView> kRemovedType;

}  // namespace tonearm::table
