#include "renderer/page_renderer.h"

#include <stdexcept>
#include <utility>

namespace tonearm::web {

/// Holds a process during a call.
class PageRenderer::Lease {
 public:
  explicit Lease(PageRenderer& renderer) : renderer_(renderer) {
    std::unique_lock lock(renderer_.mutex_);
    renderer_.released_.wait(lock, [&] { return !renderer_.idle_.empty(); });
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

  /// Returns nullopt if the process ended.
  std::optional<RenderMessage> call(const char* function, const std::string& json) {
    if (process_ == nullptr) process_ = renderer_.start();
    auto answer = process_->call(function, json);
    if (!answer) {
      process_.reset();
      renderer_.options_.on_end();
    }
    return answer;
  }

 private:
  PageRenderer& renderer_;
  std::unique_ptr<RenderProcess> process_;
};

PageRenderer::PageRenderer(Options options) : options_(std::move(options)) {
  idle_.reserve(options_.processes);
  for (std::size_t i = 0; i < options_.processes; ++i) idle_.push_back(start());
}

std::unique_ptr<RenderProcess> PageRenderer::start() const {
  return std::make_unique<RenderProcess>(options_.program, options_.script, options_.name);
}

std::string PageRenderer::call(const char* function, const std::string& json) {
  Lease lease(*this);
  auto answer = lease.call(function, json);
  if (!answer) answer = lease.call(function, json);
  if (!answer) throw std::runtime_error("the process that renders pages ended");
  if (answer->first != kRendered) throw std::runtime_error(answer->second);
  return std::move(answer->second);
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
