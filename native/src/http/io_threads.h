#pragma once
// The threads on which connections are served.

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "http/allowance.h"
#include "monitoring/log.h"

namespace tonearm::native {

using IoExecutor = boost::asio::io_context::executor_type;
using IoSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, IoExecutor>;

/// A thread and what only its connections share. A connection stays with its thread, so it needs no strand.
struct IoThread {
  std::atomic<std::size_t> connections{0};
  Allowance allowance;                 // of its calls; used on the thread alone
  boost::asio::io_context context{1};  // last: what it drops may still use the others
};

/// What a connection throws ends no thread.
class IoThreads {
 public:
  /// The contexts are there at once, the threads with `start`. `count` > 0.
  explicit IoThreads(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) lanes_.push_back(std::make_unique<IoThread>());
  }
  ~IoThreads() {
    stop();
    // The first goes last: sessions of the others keep a listener, whose socket is its.
    while (!lanes_.empty()) lanes_.pop_back();
  }
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;

  /// Once.
  void start(Log& log) {
    threads_.reserve(lanes_.size());
    for (const auto& lane : lanes_) threads_.emplace_back([&log, &context = lane->context] { run(context, log); });
  }

  void stop() {
    for (const auto& lane : lanes_) lane->context.stop();
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  /// The one that accepts and looks after deadlines.
  IoThread& first() { return *lanes_.front(); }

  /// The one with the fewest connections.
  IoThread& least_used() {
    auto* least = lanes_.front().get();
    for (const auto& lane : lanes_) {
      if (lane->connections < least->connections) least = lane.get();
    }
    return *least;
  }

 private:
  static void run(boost::asio::io_context& context, Log& log) {
    const auto guard = boost::asio::make_work_guard(context);
    while (!context.stopped()) {
      try {
        context.run();
      } catch (const std::exception& failure) {
        log.error(std::string("a connection ended by a failure: ") + failure.what());
      }
    }
  }

  std::vector<std::unique_ptr<IoThread>> lanes_;
  std::vector<std::thread> threads_;
};

}  // namespace tonearm::native
