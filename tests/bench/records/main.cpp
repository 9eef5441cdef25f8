// Call records at scale (RECORD-4, RECORD-6): fills a state with records over many days while retention runs and the
// clock advances, then deletes the account with the most records, then lets everything expire. Prints how long each
// transaction held the database.
//
//     tonearm-records [--records N] [--accounts N] [--days N] [--folder DIR]

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "housekeeping/housekeeping.h"
#include "monitoring/log.h"
#include "sqlite_state/state_file.h"
#include "state/accounts/accounts.h"
#include "state/accounts/retention.h"
#include "system/system_ports.h"
#include "system/ticker.h"

namespace tonearm::bench {
namespace {

using std::chrono::steady_clock;

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kFirstDayMs = 1'700'006'400'000;
constexpr std::int64_t kCallsPerFlush = 2'000;  // a server with 4,000 calls per second flushes twice
constexpr std::int64_t kCallsOfQuietDay = 250;
constexpr std::chrono::milliseconds kMaintenanceInterval{100};

double milliseconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
}

/// Returns the processor time of this thread, which excludes other programs.
double processor_ms() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) throw std::runtime_error("no clock of the thread");
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Options {
  std::int64_t records = 1'000'000;
  std::int64_t accounts = 1'000;
  std::int64_t days = 420;
  std::string folder = "build/records";
};

class MovedClock final : public Clock {
 public:
  std::int64_t now_ms() override { return now_ms_; }
  void set(std::int64_t now_ms) { now_ms_ = now_ms; }

 private:
  std::atomic<std::int64_t> now_ms_ = kFirstDayMs;
};

/// Tells the transactions of threads apart.
enum class Role : std::uint8_t { writer, retention };

/// Records how long each transaction holds the database: from its first statement until it is durable.
class MeasuredStore final : public sql::Store {
 public:
  explicit MeasuredStore(std::unique_ptr<sql::Store> store) : store_(std::move(store)) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    steady_clock::time_point begin;
    double processor_began_ms = 0;
    store_->transact([&](sql::Transaction& transaction) {
      begin = steady_clock::now();
      processor_began_ms = processor_ms();
      body(transaction);
    });
    const double held_ms = milliseconds_since(begin);
    const double worked_ms = processor_ms() - processor_began_ms;
    const Role role = std::this_thread::get_id() == writer_ ? Role::writer : Role::retention;
    const std::lock_guard<std::mutex> lock(mutex_);
    held_ms_[static_cast<std::size_t>(role)].push_back(held_ms);
    double& longest = worked_ms_max_[static_cast<std::size_t>(role)];
    longest = std::max(longest, worked_ms);
  }

  void report(const char* phase) {
    constexpr const char* kNames[] = {"writes", "retention"};
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t role = 0; role < 2; ++role) {
      std::vector<double>& all = held_ms_[role];
      std::sort(all.begin(), all.end());
      if (!all.empty()) {
        const auto at = [&](double part) {
          return all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))];
        };
        const auto over = all.end() - std::upper_bound(all.begin(), all.end(), 50.0);
        std::printf("| %s | %s | %zu | %.2f | %.2f | %.2f | %.2f | %td | %.2f |\n", phase, kNames[role], all.size(),
                    at(0.5), at(0.99), at(0.999), all.back(), over, worked_ms_max_[role]);
      }
      worked_ms_max_[role] = 0;
      all.clear();
    }
    std::fflush(stdout);
  }

 private:
  std::unique_ptr<sql::Store> store_;
  std::thread::id writer_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::vector<double> held_ms_[2];
  double worked_ms_max_[2] = {0, 0};
};

/// Runs the server's housekeeping beside the writers, with shorter pauses.
class Background {
 public:
  Background(state::Accounts& accounts, sql::Store& store, Clock& clock, native::StateCheckpoint& checkpoint)
      : housekeeping_(
            {[&accounts] { return accounts.flush(); }, [this, &store, &clock] { return retain_step(store, clock); },
             &checkpoint, nullptr, metrics_, *log_},
            {1, 500, std::chrono::milliseconds(1)}),
        ticker_(kMaintenanceInterval, [this] { housekeeping_.maintain(); }) {}

  /// Waits until nothing is left to remove.
  void settle() const {
    const std::uint64_t before = idle_;
    while (idle_ < before + 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  bool retain_step(sql::Store& store, Clock& clock) {
    const bool more = state::run_retention_step(store, clock);
    if (!more) ++idle_;
    return more;
  }

  std::atomic<std::uint64_t> idle_ = 0;
  native::Metrics metrics_;
  std::unique_ptr<native::Log> log_ = native::open_log("", native::LogFormat::text);
  native::Housekeeping housekeeping_;
  native::Ticker ticker_;
};

class Run {
 public:
  explicit Run(const Options& options)
      : options_(options),
        path_(options.folder + "/state.sqlite"),
        store_(native::open_state_file(path_)),
        checkpoint_(path_),
        accounts_(state::Accounts::open({clock_, random_, hashing_, store_}, "secret")) {
    for (std::int64_t index = 0; index < options.accounts; ++index) {
      names_.push_back(accounts_->create_account(Plan::unlimited)->account);
    }
    store_.report("accounts");
  }

  void fill() {
    const Background background(*accounts_, store_, clock_, checkpoint_);
    const auto begin = steady_clock::now();
    for (std::int64_t day = 0; day < options_.days; ++day) {
      write_day(day, options_.records * (day + 1) / options_.days - options_.records * day / options_.days);
    }
    const double seconds = milliseconds_since(begin) / 1'000;
    store_.report("fill");
    std::printf("%lld records of %lld accounts in %.1f s, %.0f a second; %s\n",
                static_cast<long long>(options_.records), static_cast<long long>(options_.accounts), seconds,
                static_cast<double>(options_.records) / seconds, sizes().c_str());
  }

  /// Removes the first account, which has every fifth record.
  void remove_largest() {
    const Background background(*accounts_, store_, clock_, checkpoint_);
    const auto begin = steady_clock::now();
    if (!accounts_->delete_account(names_.front())) throw std::runtime_error("the account is not there");
    std::printf("the largest account is gone after %.1f ms\n", milliseconds_since(begin));
    names_.front() = names_.back();
    write_while([&] { background.settle(); });
    store_.report("removal");
    std::printf("its records are gone after %.1f s\n", milliseconds_since(begin) / 1'000);
  }

  /// Advances the clock day by day until no record of the fill is left.
  void expire() {
    const Background background(*accounts_, store_, clock_, checkpoint_);
    const auto begin = steady_clock::now();
    for (std::int64_t day = options_.days; day < 2 * options_.days; ++day) {
      write_day(day, kCallsOfQuietDay);
      background.settle();
    }
    store_.report("expiry");
    std::printf("%lld days passed in %.1f s; %s\n", static_cast<long long>(options_.days),
                milliseconds_since(begin) / 1'000, sizes().c_str());
  }

 private:
  void write_day(std::int64_t day, std::int64_t count) {
    for (std::int64_t index = 0; index < count; ++index) {
      write(day, kFirstDayMs + day * kDayMs + index * kDayMs / count);
    }
    accounts_->flush();
  }

  void write(std::int64_t day, std::int64_t at_ms) {
    clock_.set(at_ms);
    const std::int64_t number = written_++;
    const auto account = static_cast<std::size_t>(number % 5 == 0 ? 0 : number * 7'919 % options_.accounts);
    state::CallRecord call;
    call.account = names_[account];
    call.key_id = "key_0123456789abcdefghijk";
    call.at_ms = at_ms;
    call.method = "GET";
    call.route = number % 3 == 0 ? "/v1/tracks/{id}" : "/v1/search";
    call.status = number % 50 == 0 ? 404 : 200;
    call.duration_ms = 1;
    call.result_count = 20;
    if (number % 3 != 0) call.search_text = "rain on a tin roof " + std::to_string(day * 7 + number % 1'000);
    accounts_->record(std::move(call));
    if (written_ % kCallsPerFlush == 0) accounts_->flush();
  }

  /// Writes like a server until `done` returns: 2,000 records twice a second.
  void write_while(const std::function<void()>& done) {
    std::atomic<bool> is_done = false;
    std::thread waiting([&] {
      done();
      is_done = true;
    });
    while (!is_done) {
      for (std::int64_t index = 0; index < kCallsPerFlush; ++index) write(options_.days, clock_.now_ms());
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    waiting.join();
  }

  std::string sizes() const {
    const auto mib = [](const std::string& path) { return std::to_string(std::filesystem::file_size(path) >> 20U); };
    return "database " + mib(path_) + " MiB, log " + mib(path_ + "-wal") + " MiB";
  }

  Options options_;
  std::string path_;
  MovedClock clock_;
  native::SystemRandom random_;
  native::OpensslHashing hashing_;
  MeasuredStore store_;
  native::StateCheckpoint checkpoint_;
  std::unique_ptr<state::Accounts> accounts_;
  std::vector<std::string> names_;
  std::int64_t written_ = 0;
};

Options parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t index = 0; index + 1 < words.size(); index += 2) {
    const std::string& name = words[index];
    const std::string& value = words[index + 1];
    if (name == "--records") {
      options.records = std::stoll(value);
    } else if (name == "--accounts") {
      options.accounts = std::stoll(value);
    } else if (name == "--days") {
      options.days = std::stoll(value);
    } else if (name == "--folder") {
      options.folder = value;
    } else {
      throw std::runtime_error("unknown option " + name);
    }
  }
  const bool fits = words.size() % 2 == 0 && options.records > 0 && options.accounts > 1 && options.days > 0;
  if (!fits) throw std::runtime_error("[--records N] [--accounts N, at least 2] [--days N] [--folder DIR]");
  return options;
}

/// A temporary folder, removed at the end.
class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {
    if (!std::filesystem::create_directories(path_)) throw std::runtime_error(path_ + " exists already");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  std::string path_;
};

int run(const std::vector<std::string>& words) {
  try {
    const Options options = parse(words);
    const Folder folder(options.folder);
    std::puts(
        "| phase | transactions | number | p50 ms | p99 ms | p99.9 ms | longest ms | over 50 ms | longest, processor "
        "ms |");
    std::puts("|---|---|---|---|---|---|---|---|---|");
    Run run(options);
    run.fill();
    run.remove_largest();
    run.expire();
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tonearm-records: %s\n", failure.what());
    return 1;
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) { return tonearm::bench::run({argv + 1, argv + argc}); }
