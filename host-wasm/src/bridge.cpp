// The exports of the module (host-wasm/README.md): the only file that the worker sees of C++. One thread calls,
// and never a second time before the first call has come back.

#include <exception>
#include <string>
#include <utility>

#include "imports.h"
#include "message.h"
#include "tonearm/service.h"

namespace tonearm::wasm {
namespace {

class WorkerClock final : public Clock {
 public:
  std::int64_t now_ms() override { return static_cast<std::int64_t>(host_now_ms()); }
};

class WorkerRandom final : public Random {
 public:
  void fill(std::span<std::uint8_t> out) override { host_random(out.data(), out.size()); }
};

class WorkerHashing final : public Hashing {
 public:
  Sha256 sha256(std::string_view data) override {
    Sha256 digest;
    host_sha256(data.data(), data.size(), digest.data());
    return digest;
  }
  Sha256 hmac_sha256(std::string_view key, std::string_view data) override {
    Sha256 digest;
    host_hmac_sha256(key.data(), key.size(), data.data(), data.size(), digest.data());
    return digest;
  }
};

/// A snapshot by its number at the worker, held whole in the module's memory.
class WorkerSnapshot final : public SnapshotFile {
 public:
  explicit WorkerSnapshot(std::uint32_t file) : file_(file) {
    const double size = host_size(file);
    if (size < 0) throw sql::Failure("there is no such file");
    bytes_.resize(static_cast<std::size_t>(size));
    const auto count = host_read(file, 0, 0, bytes_.data(), static_cast<std::uint32_t>(bytes_.size()));
    if (count < 0 || static_cast<std::size_t>(count) != bytes_.size()) throw sql::Failure("the file cannot be read");
  }

  sql::SqliteHandle connect() const override {
    return sql::open_sqlite(std::to_string(file_), sql::OpenMode::read_only_immutable, "tonearm");
  }
  std::uint64_t size() const override { return bytes_.size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override {
    return std::string_view(bytes_).substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  }

 private:
  std::uint32_t file_;
  std::string bytes_;
};

void log(std::string_view line) { host_log(line.data(), line.size()); }

Response done(std::string body = {}) { return {200, {}, std::move(body)}; }

}  // namespace

/// One service with its parts. The worker holds it as an opaque number; it lives as long as the module.
class Instance {
 public:
  char* reserve(std::size_t size) {
    message_.clear();  // what is too long is refused as an empty message, never answered as the one before
    if (size > kMessageBytesMax) return nullptr;
    message_.resize(size);
    return message_.data();
  }

  Response start() {
    const auto start = decode_start(message_);
    if (!start) return error_response({ErrorCode::internal_error, "The start message breaks the layout."});
    store_ = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
    ServiceOptions options;
    options.key_secret = start->key_secret;
    options.admin_token_hash = start->admin_token_hash;
    service_ = Service::make({clock_, random_, hashing_, *store_, [this] { return catalog_; }}, options);
    return done();
  }

  /// Takes up another snapshot; on a fault the one in force stays.
  Response open_snapshot(std::uint32_t file, bool allow_evaluation) {
    auto opened = Catalog::open(std::make_shared<const WorkerSnapshot>(file), {.allow_evaluation = allow_evaluation});
    if (!opened) return error_response(opened.error());
    catalog_ = std::move(*opened);
    return done(catalog_->version());
  }

  Response handle(Response (Service::*surface)(const Request&)) {
    const auto request = decode_request(message_);
    if (!request) return error_response({ErrorCode::invalid_request, "The request's head is too long."});  // C1.1
    return (service_.get()->*surface)(*request);
  }

  Response flush() {
    service_->flush();
    return done();
  }

  /// The one line where exceptions stop.
  template <class Body>
  const char* answer(Body&& body) noexcept {
    try {
      answer_ = encode_answer(body());
    } catch (const std::exception& fault) {
      log(fault.what());
      answer_ = encode_answer(error_response({ErrorCode::internal_error, "A fault of the server; retry later."}));
    }
    return answer_.data();
  }

  bool retain_step() noexcept {
    try {
      return service_->retain_step();
    } catch (const std::exception& fault) {
      log(fault.what());
      return false;
    }
  }

 private:
  WorkerClock clock_;
  WorkerRandom random_;
  WorkerHashing hashing_;
  std::unique_ptr<sql::Store> store_;
  std::shared_ptr<const Catalog> catalog_;
  std::unique_ptr<Service> service_;
  std::string message_;  // of the worker, for the next call
  std::string answer_;   // to the worker, until the next call
};

}  // namespace tonearm::wasm

using tonearm::Service;
using tonearm::wasm::Instance;

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
const char* tonearm_open_snapshot(Instance* instance, std::uint32_t file, std::uint32_t allow_evaluation) {
  return instance->answer([&] { return instance->open_snapshot(file, allow_evaluation != 0); });
}

TONEARM_EXPORT(tonearm_handle) const char* tonearm_handle(Instance* instance) {
  return instance->answer([&] { return instance->handle(&Service::handle); });
}

TONEARM_EXPORT(tonearm_handle_admin) const char* tonearm_handle_admin(Instance* instance) {
  return instance->answer([&] { return instance->handle(&Service::handle_admin); });
}

TONEARM_EXPORT(tonearm_flush) const char* tonearm_flush(Instance* instance) {
  return instance->answer([&] { return instance->flush(); });
}

TONEARM_EXPORT(tonearm_retain_step) std::uint32_t tonearm_retain_step(Instance* instance) {
  return instance->retain_step() ? 1 : 0;
}
