#pragma once
// The threads that serve connections.

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "http/inline_budget.h"
#include "monitoring/log.h"

namespace tonearm::native {

using IoExecutor = boost::asio::io_context::executor_type;
using IoSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, IoExecutor>;

/// A thread and the state that its connections share. A connection stays on its thread, so it needs no strand.
struct IoThread {
  std::atomic<std::size_t> connections{0};
  InlineBudget inline_budget;          // used only on this thread
  boost::asio::io_context context{1};  // last: handlers that it destroys may use the other members
};

/// An exception of a connection does not end its thread.
class IoThreads {
 public:
  /// Makes the contexts; `start` makes the threads. `count` > 0.
  explicit IoThreads(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) io_threads_.push_back(std::make_unique<IoThread>());
  }
  ~IoThreads() {
    stop();
    // The first is destroyed last: sessions of the others keep a listener, whose socket belongs to the first.
    while (!io_threads_.empty()) io_threads_.pop_back();
  }
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;

  /// Call once.
  void start(Log& log) {
    threads_.reserve(io_threads_.size());
    for (const auto& io_thread : io_threads_)
      threads_.emplace_back([&log, &context = io_thread->context] { run(context, log); });
  }

  void stop() {
    for (const auto& io_thread : io_threads_) io_thread->context.stop();
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  /// The thread that accepts connections and checks deadlines.
  IoThread& first() { return *io_threads_.front(); }

  /// The thread with the fewest connections.
  IoThread& least_used() {
    auto* least = io_threads_.front().get();
    for (const auto& io_thread : io_threads_) {
      if (io_thread->connections < least->connections) least = io_thread.get();
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
        log.error(std::string("connection closed after an internal error: ") + failure.what());
      }
    }
  }

  std::vector<std::unique_ptr<IoThread>> io_threads_;
  std::vector<std::thread> threads_;
};

}  // namespace tonearm::native
