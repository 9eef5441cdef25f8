#pragma once
// The types of the admin interface's answers (C11).

#include "state/accounts.h"
#include "table/types.h"

namespace tonearm::table {

struct AccountsView {
  const std::vector<state::AccountInfo>& accounts;
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
struct DoneView {};

extern const ObjectType kAccountType;   // of state::AccountInfo
extern const ObjectType kAccountsType;  // of AccountsView
extern const ObjectType kNewKeyType;    // of state::NewKey
extern const ObjectType kKeysType;      // of KeysView
extern const ObjectType kCallsType;     // of CallsView
extern const ObjectType kUsageType;     // of UsageView
extern const ObjectType kDeletedType;   // of DoneView
extern const ObjectType kRevokedType;   // of DoneView

}  // namespace tonearm::table
