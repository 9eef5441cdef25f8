#include "tonearm/home.h"

#include <stdexcept>
#include <utility>

#include "api/api_service.h"
#include "api/bearer.h"
#include "domain/api_key.h"
#include "state/account_copy.h"
#include "state/call_report.h"
#include "state/schema.h"

namespace tonearm {

namespace api {

std::variant<Response, CallPlace> ApiService::locate(const RequestHead& head) {
  if (is_public(head)) return CallPlace{};
  if (auto refusal = refuse_path(head)) return *std::move(refusal);
  const auto token = bearer_token(head.headers, kKeyWords);
  if (!token) return error_response(token.error());
  auto account = accounts_->locate(*token);
  if (!account) return error_response({ErrorCode::invalid_api_key, std::string(kKeyWords.invalid)});
  const auto found = table::find_route(table::Surface::api, head.method, path_of(head.target));
  const bool needs_state = found.route != nullptr && found.route->needs_catalog != table::NeedsCatalog::yes;
  return CallPlace{*std::move(account), needs_state};
}

std::variant<Response, CallPlace> ApiService::locate_admin(const RequestHead& head) {
  if (auto refusal = refuse_admin(head)) return *std::move(refusal);
  const auto found = table::find_route(table::Surface::admin, head.method, path_of(head.target));
  const bool is_of_calls =
      found.route != nullptr && (found.route->id == table::RouteId::calls || found.route->id == table::RouteId::usage);
  // What is no account's id names no home; the directory knows no such account either.
  if (!is_of_calls || !locate_account_id(found.arguments[0])) return CallPlace{};
  return CallPlace{found.arguments[0], true};
}

void ApiService::open_state() { state::open_schema(parts_.store, parts_.random, key_secret_); }

std::string ApiService::take_records() { return state::write_report(accounts_->take_calls()); }

std::size_t ApiService::write_records(std::string_view records) {
  const auto calls = state::read_report(records);
  if (!calls) throw std::invalid_argument("these are no call records");
  return accounts_->write_now(*calls);
}

std::optional<AccountChange> ApiService::next_change(const std::string& after) {
  return state::next_change(parts_.store, parts_.clock, after);
}

void ApiService::delivered(const AccountChange& change) { state::forget_change(parts_.store, change); }

void ApiService::take_copy(std::string_view copy) {
  switch (state::take_copy(parts_.store, copy)) {
    case state::TakenCopy::taken:
      return;
    case state::TakenCopy::older:
      throw std::invalid_argument("this copy of an account is older than the one here");
    case state::TakenCopy::faulty:
      throw std::invalid_argument("this is no copy of an account");
  }
}

}  // namespace api

std::unique_ptr<HomeService> HomeService::make(Home home, const Parts& parts, const ServiceOptions& options) {
  state::Accounts::Parts of_accounts{parts.clock, parts.random, parts.hashing, parts.store};
  if (home == Home::nobody) {
    return std::make_unique<api::ApiService>(parts, options, state::Accounts::open(of_accounts, options.key_secret));
  }
  if (home == Home::directory) of_accounts.copies = state::Accounts::Copies::elsewhere;
  return std::make_unique<api::ApiService>(parts, options,
                                           state::Accounts::over_homes(of_accounts, options.key_secret));
}

}  // namespace tonearm
