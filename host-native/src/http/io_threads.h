#pragma once
// The threads on which connections are served.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <thread>
#include <vector>

#include "monitoring/log.h"

namespace tonearm::native {

/// The threads of an io_context. What a connection throws ends none of them.
class IoThreads {
 public:
  IoThreads(boost::asio::io_context& io, std::size_t count, Log& log) : io_(io), guard_(io.get_executor()) {
    const auto run = [this, &log] {
      while (!io_.stopped()) {
        try {
          io_.run();
        } catch (const std::exception& failure) {
          log.error(std::string("a connection ended by a failure: ") + failure.what());
        }
      }
    };
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back(run);
  }
  ~IoThreads() { stop(); }
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;

  void stop() {
    io_.stop();
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

 private:
  boost::asio::io_context& io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::vector<std::thread> threads_;
};

}  // namespace tonearm::native
