#pragma once
// The coroutines of connections, and how they wait for the worker pool.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

#include "http/io_threads.h"
#include "system/worker_pool.h"

namespace tonearm::native {

template <class Value>
using awaitable = boost::asio::awaitable<Value, IoExecutor>;  // NOLINT(readability-identifier-naming): as asio's

inline constexpr boost::asio::use_awaitable_t<IoExecutor> kAwaitable;
inline constexpr auto kTuple = boost::asio::as_tuple(kAwaitable);

using PostJob = bool (WorkerPool::*)(WorkerPool::Job);

/// Runs `work` on the pool and resumes on `executor`. Returns false if the pool rejects it.
template <class Work>
awaitable<bool> run_on_pool(WorkerPool& pool, PostJob post, IoExecutor executor, const Work& work) {
  const auto start = [&pool, &work, post, executor](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    const auto resume = [shared, executor](bool ran) {
      boost::asio::post(executor, [shared, ran] { std::move (*shared)(ran); });
    };
    const bool accepted = (pool.*post)([&work, resume] {
      work();
      resume(true);
    });
    if (!accepted) resume(false);
  };
  co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<IoExecutor>&, void(bool)>(
      start, kAwaitable);
}

}  // namespace tonearm::native
