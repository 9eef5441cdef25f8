// The exports of the module (host-wasm/README.md): the only file that the worker sees of C++. One thread calls,
// and never a second time before the first call has come back.

#include <array>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "calls.h"
#include "host_store.h"
#include "imports.h"
#include "worker_ports.h"
#include "worker_snapshot.h"

namespace tonearm::wasm {
/// The services of each kind of home with their parts. The worker holds it as an opaque number; it lives as long as the
/// module.
class Instance {
 public:
  char* reserve(std::size_t size) {
    message_.clear();  // what is too long is refused as an empty message, never answered as the one before
    if (size > kMessageBytesMax) return nullptr;
    message_.resize(size);
    return message_.data();
  }

  Outcome start() {
    const auto start = decode_start(message_);
    if (!start) return refused(kBadMessage);
    nobodys_store_ = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
    ServiceOptions options;
    options.key_secret = start->key_secret;
    options.admin_token_hash = start->admin_token_hash;
    options.report_fault = log;
    options.answer_cache_bytes = start->answer_cache_bytes;
    const auto make = [&](Home home, sql::Store& store) {
      services_[static_cast<std::size_t>(home)] =
          HomeService::make(home, {clock_, random_, hashing_, store, [this] { return catalog_; }}, options);
      options.answer_cache_bytes = 0;  // catalog answers are nobody's
    };
    make(Home::nobody, *nobodys_store_);
    make(Home::account, homes_store_);
    make(Home::directory, homes_store_);
    return done();
  }

  /// Takes up another snapshot; on a fault the one in force stays.
  Outcome open_snapshot(std::uint32_t number, std::uint64_t size, bool allow_evaluation) {
    if (!opening_ || opening_->number() != number) opening_ = std::make_shared<WorkerSnapshot>(number, size);
    const std::shared_ptr<const SnapshotFile> file(opening_, &opening_->file());
    auto opened = Catalog::open(file, {.allow_evaluation = allow_evaluation});
    if (opening_->take_missed()) return again();
    opening_->file().end_request();
    const auto snapshot = std::move(opening_);
    if (!opened) return refused(opened.error());
    snapshot_ = snapshot;
    catalog_ = std::move(*opened);
    return done(catalog_->version());
  }

  /// What `step(service, asked)` says of the request in the message.
  template <class Step>
  Outcome ask(Home home, Step&& step) {
    const auto asked = decode_asked(message_);
    if (!asked) return refused({ErrorCode::invalid_request, "The request's head is too long."});  // C1.1
    return step(service(home), *asked);
  }
  /// What `step(service, bytes)` says of the bytes in the message.
  template <class Step>
  Outcome give(Home home, Step&& step) {
    const auto bytes = decode_bytes(message_);
    if (!bytes) return refused(kBadMessage);
    return step(service(home), *bytes);
  }

  Outcome delivered() {
    const auto change = decode_change(message_);
    if (!change) return refused(kBadMessage);
    service(Home::directory).delivered(*change);
    return done();
  }

  HomeService& service(Home home) { return *services_.at(static_cast<std::size_t>(home)); }

  /// The one line where exceptions stop.
  template <class Body>
  const char* answer(Body&& body) noexcept {
    try {
      Outcome outcome = body();
      if (snapshot_ && snapshot_->take_missed()) {
        outcome = again();
      } else if (snapshot_) {
        snapshot_->file().end_request();
      }
      answer_ = encode_outcome(outcome);
    } catch (const BlocksMissing&) {
      if (snapshot_) snapshot_->take_missed();
      if (opening_) opening_->take_missed();
      answer_ = encode_outcome(again());
    } catch (const std::exception& fault) {
      log(fault.what());
      opening_ = nullptr;
      if (snapshot_) snapshot_->file().end_request();
      answer_ = encode_outcome(refused(kFault));
    }
    return answer_.data();
  }

 private:
  WorkerClock clock_;
  WorkerRandom random_;
  WorkerHashing hashing_;
  std::unique_ptr<sql::Store> nobodys_store_;
  HostStore homes_store_;
  std::shared_ptr<WorkerSnapshot> opening_;
  std::shared_ptr<WorkerSnapshot> snapshot_;
  std::shared_ptr<const Catalog> catalog_;
  std::array<std::unique_ptr<HomeService>, 3> services_;  // by Home
  std::string message_;                                   // of the worker, for the next call
  std::string answer_;                                    // to the worker, until the next call
};

}  // namespace tonearm::wasm

using tonearm::Home;
using tonearm::HomeService;
using tonearm::wasm::Asked;
using tonearm::wasm::Instance;
using tonearm::wasm::Outcome;

#define TONEARM_EXPORT(name) extern "C" __attribute__((export_name(#name)))

TONEARM_EXPORT(tonearm_layout) std::uint32_t tonearm_layout() { return tonearm::wasm::kLayout; }

TONEARM_EXPORT(tonearm_make) Instance* tonearm_make() { return std::make_unique<Instance>().release(); }

TONEARM_EXPORT(tonearm_reserve) char* tonearm_reserve(Instance* instance, std::size_t size) {
  return instance->reserve(size);
}

TONEARM_EXPORT(tonearm_start) const char* tonearm_start(Instance* instance) {
  return instance->answer([&] { return instance->start(); });
}

TONEARM_EXPORT(tonearm_open_snapshot)
const char* tonearm_open_snapshot(Instance* instance, std::uint32_t number, double size,
                                  std::uint32_t allow_evaluation) {
  const auto bytes = static_cast<std::uint64_t>(size);
  return instance->answer([&] { return instance->open_snapshot(number, bytes, allow_evaluation != 0); });
}

TONEARM_EXPORT(tonearm_locate) const char* tonearm_locate(Instance* instance) {
  const auto step = [](HomeService& service, const Asked& asked) {
    return tonearm::wasm::located(service.locate(asked.request.head));
  };
  return instance->answer([&] { return instance->ask(Home::nobody, step); });
}

TONEARM_EXPORT(tonearm_locate_admin) const char* tonearm_locate_admin(Instance* instance) {
  const auto step = [](HomeService& service, const Asked& asked) {
    return tonearm::wasm::located(service.locate_admin(asked.request.head));
  };
  return instance->answer([&] { return instance->ask(Home::nobody, step); });
}

TONEARM_EXPORT(tonearm_admit) const char* tonearm_admit(Instance* instance, Home home) {
  return instance->answer([&] { return instance->ask(home, tonearm::wasm::admit); });
}

TONEARM_EXPORT(tonearm_answer) const char* tonearm_answer(Instance* instance, Home home) {
  return instance->answer([&] { return instance->ask(home, tonearm::wasm::answer); });
}

TONEARM_EXPORT(tonearm_refuse)
const char* tonearm_refuse(Instance* instance, Home home, tonearm::wasm::Refusal refusal) {
  const auto step = [refusal](HomeService& service, const Asked& asked) {
    return tonearm::wasm::refuse(service, asked, refusal);
  };
  return instance->answer([&] { return instance->ask(home, step); });
}

TONEARM_EXPORT(tonearm_handle_admin) const char* tonearm_handle_admin(Instance* instance, Home home) {
  const auto step = [](HomeService& service, const Asked& asked) {
    return Outcome{service.handle_admin(asked.request), {}, {}, {}};
  };
  return instance->answer([&] { return instance->ask(home, step); });
}

TONEARM_EXPORT(tonearm_refusal)
const char* tonearm_refusal(Instance* instance, tonearm::wasm::Refusal refusal, std::uint32_t wait_s) {
  return instance->answer([&] { return tonearm::wasm::refused(refusal, wait_s); });
}

TONEARM_EXPORT(tonearm_open_state) const char* tonearm_open_state(Instance* instance, Home home) {
  return instance->answer([&] {
    instance->service(home).open_state();
    return tonearm::wasm::done();
  });
}

TONEARM_EXPORT(tonearm_write_records) const char* tonearm_write_records(Instance* instance) {
  const auto step = [](HomeService& service, std::string_view records) {
    service.write_records(records);
    return tonearm::wasm::done();
  };
  return instance->answer([&] { return instance->give(Home::account, step); });
}

TONEARM_EXPORT(tonearm_take_copy) const char* tonearm_take_copy(Instance* instance) {
  const auto step = [](HomeService& service, std::string_view copy) {
    service.take_copy(copy);
    return tonearm::wasm::done();
  };
  return instance->answer([&] { return instance->give(Home::account, step); });
}

TONEARM_EXPORT(tonearm_next_change) const char* tonearm_next_change(Instance* instance) {
  return instance->answer([&] { return instance->give(Home::directory, tonearm::wasm::next_change); });
}

TONEARM_EXPORT(tonearm_delivered) const char* tonearm_delivered(Instance* instance) {
  return instance->answer([&] { return instance->delivered(); });
}

TONEARM_EXPORT(tonearm_retain_step) const char* tonearm_retain_step(Instance* instance, Home home) {
  return instance->answer([&] { return tonearm::wasm::done(instance->service(home).retain_step() ? "more" : ""); });
}

TONEARM_EXPORT(tonearm_run_transaction)
std::uint32_t tonearm_run_transaction(tonearm::wasm::RunningTransaction* transaction) {
  return transaction->run() ? 1 : 0;
}
