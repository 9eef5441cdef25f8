#include "tonearm/catalog_reader.h"

#include "api/routing/call_handler.h"
#include "state/accounts/accounts.h"
#include "state/collections/collections.h"
#include "state/take_downs/take_downs.h"

namespace tonearm {

namespace {

/// A reader has no state. Routes that need only the catalog never use it.
class NoStore final : public sql::Store {
 public:
  void transact(const std::function<void(sql::Transaction&)>& body) override {
    static_cast<void>(body);
    throw sql::Failure("a reader of the catalog has no state");
  }
};

ServiceOptions options_of(const CatalogReader::Dependencies& with) {
  ServiceOptions options;
  options.report_failure = with.report_failure;
  options.answer_cache_bytes = with.answer_cache_bytes;
  return options;
}

class StatelessReader final : public CatalogReader {
 public:
  explicit StatelessReader(const Dependencies& with)
      : accounts_(state::make_shared_accounts({with.clock, with.random, with.hashing, no_store_}, {}, {})),
        collections_({with.clock, with.random, no_store_}),
        take_downs_(with.clock, no_store_),
        calls_({with.clock,
                with.hashing,
                no_store_,
                *accounts_,
                collections_,
                take_downs_,
                with.catalog,
                with.catalog,
                {}},
               options_of(with)) {}

  Response answer(const Request& request) override { return calls_.read_catalog(request); }

 private:
  NoStore no_store_;
  std::unique_ptr<state::Accounts> accounts_;
  state::Collections collections_;
  state::TakeDowns take_downs_;
  api::CallHandler calls_;
};

}  // namespace

std::unique_ptr<CatalogReader> CatalogReader::make(const Dependencies& dependencies) {
  return std::make_unique<StatelessReader>(dependencies);
}

}  // namespace tonearm
