// The exports of the module (host-wasm/README.md), which are its whole interface to the worker. Calls come from one
// thread and never overlap.

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "imports.h"
#include "outcomes.h"
#include "shard_store.h"
#include "tonearm/catalog_reader.h"
#include "worker_ports.h"
#include "worker_snapshot.h"

namespace tonearm::wasm {
/// A service or a catalog reader with all its dependencies. An instance becomes one of them at its start; the exports
/// of the other one fail. The worker identifies it by an opaque number. It lives as long as the module.
class Instance {
 public:
  char* reserve(std::size_t size) {
    message_.clear();  // so that a message that is too long is rejected as empty, and not read as the previous one
    if (size > kMessageBytesMax) return nullptr;
    message_.resize(size);
    return message_.data();
  }

  Outcome start() {
    const auto start = decode_start(message_);
    if (!start) return refused(kBadMessage);
    if (service_ || reader_) return refused(kAlreadyStarted);
    ServiceOptions options;
    options.key_secret = start->key_secret;
    options.admin_token_hash = start->admin_token_hash;
    options.report_failure = log;
    options.write_audit_line = [](std::string_view line) { log("audit " + std::string(line)); };
    options.answer_cache_bytes = start->answer_cache_bytes;
    options.oauth = start->oauth;
    blocks_max_ = start->blocks_max;
    service_ = ShardService::make({.clock = clock_,
                                   .random = random_,
                                   .hashing = hashing_,
                                   .store = store_,
                                   .catalog = [this] { return has_catalog_ ? catalog_ : nullptr; },
                                   .shared_answers = &answers_,
                                   .unwritten_counts = &counts_},
                                  options, start->directory_epoch);
    return done();
  }

  /// Starts a catalog reader instead of a service (HOST-42).
  Outcome start_reader(std::uint32_t answer_cache_bytes, std::uint32_t blocks_max) {
    if (service_ || reader_) return refused(kAlreadyStarted);
    blocks_max_ = blocks_max;
    reader_ = CatalogReader::make({.clock = clock_,
                                   .random = random_,
                                   .hashing = hashing_,
                                   .catalog = [this] { return catalog_; },
                                   .report_failure = log,
                                   .answer_cache_bytes = answer_cache_bytes});
    return done();
  }

  /// Activates a snapshot. If that fails, the previous one stays active.
  Outcome open_snapshot(std::uint32_t number, std::uint64_t size, bool allow_evaluation) {
    const auto snapshot = std::make_shared<WorkerSnapshot>(number, size, blocks_max_);
    auto opened = Catalog::open(snapshot, {.allow_evaluation = allow_evaluation});
    if (snapshot->consume_missed()) return replay();
    if (!opened) return refused({ErrorCode::unavailable, opened.error().message});
    snapshot_ = snapshot;
    catalog_ = std::move(*opened);
    return done(catalog_->version());
  }

  /// Returns `step(request)` for the request in the message.
  template <class Step>
  Outcome with_request(Step&& step) {
    const auto message = decode_request(message_);
    if (!message) return refused({ErrorCode::invalid_request, "The request's head is too long."});  // CHECK-1
    return step(*message);
  }
  /// Returns `step(bytes)` for the bytes in the message.
  template <class Step>
  Outcome with_bytes(Step&& step) {
    const auto bytes = decode_bytes(message_);
    if (!bytes) return refused(kBadMessage);
    return step(*bytes);
  }

  Outcome acknowledge() {
    const auto change = decode_change(message_);
    if (!change) return refused(kBadMessage);
    service().directory().acknowledge(*change);
    return done();
  }

  /// Throws if the instance was not started as a service, or as a reader.
  ShardService& service() {
    if (!service_) throw std::logic_error("the instance was not started as a service");
    return *service_;
  }
  CatalogReader& reader() {
    if (!reader_) throw std::logic_error("the instance was not started as a catalog reader");
    return *reader_;
  }

  /// Runs `step()` with or without the catalog (CHECK-6).
  template <class Step>
  Outcome with_catalog(bool has_catalog, Step&& step) {
    has_catalog_ = has_catalog;
    return step();
  }

  /// Runs a call once. Only its outcome and cached blocks remain. Catches all exceptions.
  template <class Body>
  const char* answer(Body&& body) noexcept {
    try {
      answer_ = encode_outcome(body());
    } catch (const BlocksMissing&) {
      answer_ = encode_outcome(replay());
    } catch (const std::exception& failure) {
      log(failure.what());
      answer_ = encode_outcome(refused(kInternalError));
    }
    has_catalog_ = true;
    if (snapshot_) {
      // SQLite reports missing blocks as an I/O error.
      if (snapshot_->consume_missed()) answer_ = encode_outcome(replay());
      snapshot_->file().end_request();
    }
    return answer_.data();
  }

 private:
  WorkerClock clock_;
  WorkerRandom random_;
  WorkerHashing hashing_;
  WorkerAnswers answers_;
  WorkerCounts counts_;
  ShardStore store_;
  std::shared_ptr<WorkerSnapshot> snapshot_;
  std::shared_ptr<const Catalog> catalog_;
  bool has_catalog_ = true;  // false in a run without the catalog
  std::unique_ptr<ShardService> service_;
  std::unique_ptr<CatalogReader> reader_;
  std::size_t blocks_max_ = 0;
  std::string message_;  // from the worker, for the next call
  std::string answer_;   // to the worker, until the next call
};

}  // namespace tonearm::wasm

using tonearm::ShardRole;
using tonearm::wasm::Instance;
using tonearm::wasm::Outcome;
using tonearm::wasm::RequestMessage;

#define TONEARM_EXPORT(name) extern "C" __attribute__((export_name(#name)))

TONEARM_EXPORT(tonearm_layout) std::uint32_t tonearm_layout() { return tonearm::wasm::kLayout; }

TONEARM_EXPORT(tonearm_make) Instance* tonearm_make() {
  // Traps, because nothing in the module catches a trap. An exception from the worker's proc_exit would be caught in
  // the module and terminate it again, until the stack overflows.
  std::set_terminate([] { __builtin_trap(); });
  return std::make_unique<Instance>().release();
}

TONEARM_EXPORT(tonearm_reserve) char* tonearm_reserve(Instance* instance, std::size_t size) {
  return instance->reserve(size);
}

TONEARM_EXPORT(tonearm_start) const char* tonearm_start(Instance* instance) {
  return instance->answer([&] { return instance->start(); });
}

TONEARM_EXPORT(tonearm_start_reader)
const char* tonearm_start_reader(Instance* instance, std::uint32_t answer_cache_bytes, std::uint32_t blocks_max) {
  return instance->answer([&] { return instance->start_reader(answer_cache_bytes, blocks_max); });
}

TONEARM_EXPORT(tonearm_open_snapshot)
const char* tonearm_open_snapshot(Instance* instance, std::uint32_t number, double size,
                                  std::uint32_t allow_evaluation) {
  const auto bytes = static_cast<std::uint64_t>(size);
  return instance->answer([&] { return instance->open_snapshot(number, bytes, allow_evaluation != 0); });
}

TONEARM_EXPORT(tonearm_take_down) const char* tonearm_take_down(Instance* instance) {
  const auto step = [instance](std::string_view lines) {
    std::vector<std::string> track_ids;
    for (std::size_t begin = 0; begin < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      track_ids.emplace_back(lines.substr(begin, end - begin));
      begin = end + 1;
    }
    instance->service().take_down(std::move(track_ids));
    return tonearm::wasm::done();
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_route) const char* tonearm_route(Instance* instance) {
  const auto step = [instance](const RequestMessage& message) {
    return tonearm::wasm::routed(instance->service().route(message.request.head));
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_route_admin) const char* tonearm_route_admin(Instance* instance) {
  const auto step = [instance](const RequestMessage& message) {
    return tonearm::wasm::routed(instance->service().route_admin(message.request.head));
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_admit) const char* tonearm_admit(Instance* instance, ShardRole role) {
  const auto step = [instance, role](const RequestMessage& message) {
    return tonearm::wasm::admit(instance->service().calls(role), message);
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_admit_message) const char* tonearm_admit_message(Instance* instance, ShardRole role) {
  const auto step = [instance, role](const RequestMessage& message) {
    return tonearm::wasm::admit_message(instance->service().calls(role), message);
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_answer)
const char* tonearm_answer(Instance* instance, ShardRole role, std::uint32_t has_catalog) {
  const auto step = [instance, role, has_catalog](const RequestMessage& message) {
    return instance->with_catalog(has_catalog != 0,
                                  [&] { return tonearm::wasm::answer(instance->service().calls(role), message); });
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_read_catalog) const char* tonearm_read_catalog(Instance* instance) {
  const auto step = [instance](const RequestMessage& message) {
    return Outcome{instance->reader().answer(message.request), {}, {}, {}};
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_refuse)
const char* tonearm_refuse(Instance* instance, ShardRole role, tonearm::wasm::Refusal refusal) {
  const auto step = [instance, role, refusal](const RequestMessage& message) {
    return tonearm::wasm::refuse(instance->service().calls(role), message, refusal);
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_handle_admin) const char* tonearm_handle_admin(Instance* instance, ShardRole role) {
  const auto step = [instance, role](const RequestMessage& message) {
    return tonearm::wasm::handle_admin(instance->service().calls(role), message);
  };
  return instance->answer([&] { return instance->with_request(step); });
}

TONEARM_EXPORT(tonearm_refusal)
const char* tonearm_refusal(Instance* instance, tonearm::wasm::Refusal refusal, std::uint32_t wait_s) {
  return instance->answer([&] { return tonearm::wasm::refused(refusal, wait_s); });
}

TONEARM_EXPORT(tonearm_open_state) const char* tonearm_open_state(Instance* instance) {
  return instance->answer([&] {
    instance->service().open_state();
    return tonearm::wasm::done();
  });
}

TONEARM_EXPORT(tonearm_write_records) const char* tonearm_write_records(Instance* instance) {
  const auto step = [instance](std::string_view records) {
    instance->service().account().write_records(records);
    return tonearm::wasm::done();
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_write_counts) const char* tonearm_write_counts(Instance* instance) {
  return instance->answer([&] {
    instance->service().account().write_counts();
    return tonearm::wasm::done();
  });
}

TONEARM_EXPORT(tonearm_apply_replica) const char* tonearm_apply_replica(Instance* instance) {
  const auto step = [instance](std::string_view replica) {
    return tonearm::wasm::replicated(instance->service().account().apply_replica(replica));
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_save_tombstone) const char* tonearm_save_tombstone(Instance* instance) {
  const auto step = [instance](std::string_view removal) {
    instance->service().account().save_tombstone(removal);
    return tonearm::wasm::done();
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_outdated_account) const char* tonearm_outdated_account(Instance* instance) {
  return instance->answer([&] { return tonearm::wasm::done(instance->service().account().outdated_account()); });
}

TONEARM_EXPORT(tonearm_next_change) const char* tonearm_next_change(Instance* instance) {
  const auto step = [instance](std::string_view after) {
    return tonearm::wasm::changed(instance->service().directory().next_change(std::string(after)));
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_change_of) const char* tonearm_change_of(Instance* instance) {
  const auto step = [instance](std::string_view account) {
    return tonearm::wasm::changed(instance->service().directory().change_of(std::string(account)));
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_begin_epoch) const char* tonearm_begin_epoch(Instance* instance) {
  return instance->answer([&] {
    instance->service().directory().begin_epoch();
    return tonearm::wasm::done();
  });
}

TONEARM_EXPORT(tonearm_add_shard) const char* tonearm_add_shard(Instance* instance) {
  const auto step = [instance](std::string_view account) {
    instance->service().directory().add_shard(std::string(account));
    return tonearm::wasm::done();
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_has_shard) const char* tonearm_has_shard(Instance* instance) {
  const auto step = [instance](std::string_view account) {
    return tonearm::wasm::done(instance->service().directory().has_shard(std::string(account)) ? "yes" : "");
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_whole_replica) const char* tonearm_whole_replica(Instance* instance) {
  const auto step = [instance](std::string_view account) {
    return tonearm::wasm::done(instance->service().directory().whole_replica(std::string(account)));
  };
  return instance->answer([&] { return instance->with_bytes(step); });
}

TONEARM_EXPORT(tonearm_acknowledge) const char* tonearm_acknowledge(Instance* instance) {
  return instance->answer([&] { return instance->acknowledge(); });
}

TONEARM_EXPORT(tonearm_retain_step) const char* tonearm_retain_step(Instance* instance) {
  return instance->answer([&] { return tonearm::wasm::done(instance->service().retain_step() ? "more" : ""); });
}

TONEARM_EXPORT(tonearm_free_space_step) const char* tonearm_free_space_step(Instance* instance) {
  return instance->answer([&] { return tonearm::wasm::done(instance->service().free_space_step() ? "more" : ""); });
}

TONEARM_EXPORT(tonearm_run_transaction)
std::uint32_t tonearm_run_transaction(tonearm::wasm::RunningTransaction* transaction) {
  return transaction->run() ? 1 : 0;
}
