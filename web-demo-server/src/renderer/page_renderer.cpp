#include "renderer/page_renderer.h"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <utility>

#include "system/work_deadline.h"

namespace tonearm::web {

namespace {

/// A script that throws this often may have lost its state, such as after an allocation failed.
constexpr int kFailuresMax = 3;

}  // namespace

/// Holds a process during a call.
class PageRenderer::Lease {
 public:
  Lease(PageRenderer& renderer, RenderDeadline until) : renderer_(renderer), until_(until) {
    std::unique_lock lock(renderer_.mutex_);
    const auto is_free = [&] { return !renderer_.idle_.empty(); };
    if (!renderer_.released_.wait_until(lock, until, is_free)) throw RenderLate();
    process_ = std::move(renderer_.idle_.back());
    renderer_.idle_.pop_back();
  }
  ~Lease() {
    {
      const std::lock_guard lock(renderer_.mutex_);
      renderer_.idle_.push_back(std::move(process_));
    }
    renderer_.released_.notify_one();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Throws RenderEnded, RenderLate; the next call then starts a process.
  RenderMessage call(const char* function, const std::string& json) {
    auto process = process_ != nullptr ? std::move(process_) : renderer_.start(until_);
    try {
      auto answer = process->call(function, json, until_);
      if (process->failures() < kFailuresMax) {
        process_ = std::move(process);
      } else {
        renderer_.options_.on_end("the script failed in three calls: " + answer.second);
      }
      return answer;
    } catch (const RenderLate& late) {
      renderer_.options_.on_end(late.what());
      throw;
    } catch (const RenderEnded& ended) {
      renderer_.options_.on_end(std::string(ended.what()) + ": " + process->end());
      throw;
    }
  }

 private:
  PageRenderer& renderer_;
  const RenderDeadline until_;
  std::unique_ptr<RenderProcess> process_;  // null: to be started
};

PageRenderer::PageRenderer(Options options) : options_(std::move(options)) {
  // If it is ignored, the kernel reaps processes, whose ids others may get.
  std::signal(SIGCHLD, SIG_DFL);
  idle_.reserve(options_.processes);
  const auto until = std::chrono::steady_clock::now() + options_.answer_time;
  for (std::size_t i = 0; i < options_.processes; ++i) idle_.push_back(start(until));
}

std::unique_ptr<RenderProcess> PageRenderer::start(RenderDeadline until) const {
  return std::make_unique<RenderProcess>(options_.program, options_.script, options_.name, until);
}

std::string PageRenderer::call(const char* function, const std::string& json) {
  const auto until = std::min<RenderDeadline>(std::chrono::steady_clock::now() + options_.answer_time,
                                              native::WorkDeadline::current());
  Lease lease(*this, until);
  const auto call_once_more = [&] {
    try {
      return lease.call(function, json);
    } catch (const RenderEnded&) {
      return lease.call(function, json);
    }
  };
  auto answer = call_once_more();
  if (answer.first != kRendered) throw std::runtime_error(answer.second);
  return std::move(answer.second);
}

std::vector<pid_t> PageRenderer::pids() {
  std::vector<pid_t> pids;
  const std::lock_guard lock(mutex_);
  for (const auto& process : idle_) {
    if (process != nullptr) pids.push_back(process->pid());
  }
  return pids;
}

}  // namespace tonearm::web
