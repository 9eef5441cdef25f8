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

using PostJob = WorkerPool::Outcome (WorkerPool::*)(WorkerPool::Placement, WorkerPool::Job);

/// Runs `work` on the pool and resumes on `executor`. Returns why the pool rejects it, or `accepted`.
template <class Work>
awaitable<WorkerPool::Outcome> run_on_pool(WorkerPool& pool, PostJob post, WorkerPool::Placement placement,
                                           IoExecutor executor, const Work& work) {
  using Outcome = WorkerPool::Outcome;
  const auto start = [&pool, &work, post, placement, executor](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    const auto resume = [shared, executor](Outcome outcome) {
      boost::asio::post(executor, [shared, outcome] { std::move (*shared)(outcome); });
    };
    const auto outcome = (pool.*post)(placement, [&work, resume] {
      work();
      resume(Outcome::accepted);
    });
    if (outcome != Outcome::accepted) resume(outcome);
  };
  co_return co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<IoExecutor>&, void(Outcome)>(
      start, kAwaitable);
}

}  // namespace tonearm::native
