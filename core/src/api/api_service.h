#pragma once
// The service itself: the API and the admin interface over accounts and collections.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "api/answer_cache.h"
#include "api/call.h"
#include "state/accounts.h"
#include "state/collections.h"
#include "table/routes.h"
#include "tonearm/home.h"

namespace tonearm::api {

/// Safe for concurrent calls.
class ApiService final : public HomeService {
 public:
  ApiService(const Parts& parts, const ServiceOptions& options, std::unique_ptr<state::Accounts> accounts)
      : parts_(parts),
        admin_token_hash_(options.admin_token_hash),
        key_secret_(options.key_secret),
        cache_(options.answer_cache_bytes),
        report_fault_(options.report_fault),
        accounts_(std::move(accounts)),
        collections_({parts.clock, parts.random, parts.store}) {}

  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response) override;
  std::optional<Response> refuse_admin(const RequestHead& head) override;
  Response handle_admin(const Request& request) override;
  FlushReport flush() override { return accounts_->flush(); }
  bool retain_step() override { return accounts_->retain_step(); }

  std::variant<Response, CallPlace> locate(const RequestHead& head) override;
  std::variant<Response, CallPlace> locate_admin(const RequestHead& head) override;
  void open_state() override;
  std::string take_records() override;
  std::size_t write_records(std::string_view records) override;
  std::optional<AccountChange> next_change(const std::string& after) override;
  void delivered(const AccountChange& change) override;
  void take_copy(std::string_view copy) override;

 private:
  /// Steps 5 to 14 of C1 on one surface.
  Response dispatch(table::Surface surface, const Admitted& admitted, const Request& request,
                    state::CallRecord* record);
  Result<Response> run(const table::RouteMatch& found, const Admitted& admitted, const Request& request,
                       const std::shared_ptr<const Catalog>& catalog, state::CallRecord* record);
  /// Adds what the answer of a call with a key carries, and records the call (C8).
  void end_record(const Admitted& admitted, Response& response, state::CallRecord record);
  bool is_admin_token(std::string_view token);

  Parts parts_;
  Sha256 admin_token_hash_;
  std::string key_secret_;
  AnswerCache cache_;
  std::function<void(std::string_view)> report_fault_;
  std::unique_ptr<state::Accounts> accounts_;
  state::Collections collections_;
};

}  // namespace tonearm::api
