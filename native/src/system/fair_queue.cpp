#include "system/fair_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;

/// A client becomes heavy if it uses more than a quarter of one thread, averaged over some seconds.
constexpr int kChargeFactor = 4;
constexpr milliseconds kHeavyCharge{2'000};
constexpr milliseconds kChargeMax{30'000};
constexpr std::size_t kSweepThreshold = 256;

}  // namespace

FairQueue::Outcome FairQueue::try_push(JobOwner client, Job job) {
  if (waiting_ >= limits_.waiting_max) return Outcome::full;
  const auto found = clients_.find(client);
  const bool is_limited = client != JobOwner::everyone && found != clients_.end();
  if (is_limited && found->second.waiting.size() >= limits_.waiting_per_client_max) return Outcome::client_is_full;
  push(client, std::move(job));
  return Outcome::accepted;
}

void FairQueue::push(JobOwner client, Job job) {
  clients_[client].waiting.push_back(std::move(job));
  ++waiting_;
}

/// Includes the jobs that still run.
FairQueue::Time FairQueue::charged(const Client& client, Time now) {
  auto until = std::max(client.charged_until, now);
  for (const auto began : client.running) until += kChargeFactor * (now - began);
  return std::min(until, now + kChargeMax);
}

bool FairQueue::is_heavy(const Entry& entry, Time now) {
  return entry.first != JobOwner::everyone && charged(entry.second, now) > now + kHeavyCharge;
}

std::size_t FairQueue::running_heavy(Time now) const {
  std::size_t count = 0;
  for (const auto& entry : clients_) count += is_heavy(entry, now) ? entry.second.running.size() : 0;
  return count;
}

bool FairQueue::may_start(const Entry& entry, std::size_t heavy, Time now) const {
  const auto& [client, state] = entry;
  if (client == JobOwner::everyone) return true;
  if (state.running.size() >= limits_.running_per_client_max) return false;
  if (!state.running.empty() && running_ >= limits_.running_crowded) return false;
  return !is_heavy(entry, now) || heavy < limits_.running_heavy_max;
}

std::optional<FairQueue::Started> FairQueue::start(Time now) {
  if (waiting_ == 0) return std::nullopt;
  const auto heavy = running_heavy(now);
  Entry* next = nullptr;
  const auto order = [now](const Entry& entry) {
    return std::tuple(entry.second.running.size(), charged(entry.second, now));
  };
  for (auto& entry : clients_) {
    const bool precedes = !entry.second.waiting.empty() && (next == nullptr || order(entry) < order(*next));
    if (precedes && may_start(entry, heavy, now)) next = &entry;
  }
  if (next == nullptr) return std::nullopt;
  auto& [client, state] = *next;
  Started started{client, std::move(state.waiting.front())};
  state.waiting.pop_front();
  state.running.push_back(now);
  --waiting_;
  ++running_;
  return started;
}

void FairQueue::finish(JobOwner client, Time began, Time now) {
  const auto found = clients_.find(client);
  auto& state = found->second;
  --running_;
  state.running.erase(std::find(state.running.begin(), state.running.end(), began));
  state.charged_until = std::min(std::max(state.charged_until, now) + kChargeFactor * (now - began), now + kChargeMax);
  if (clients_.size() > kSweepThreshold) forget_idle(now);
}

void FairQueue::forget_idle(Time now) {
  std::erase_if(clients_, [now](const Entry& entry) {
    const auto& state = entry.second;
    return state.waiting.empty() && state.running.empty() && state.charged_until <= now;
  });
}

void FairQueue::clear() {
  for (auto& [client, state] : clients_) state.waiting.clear();
  waiting_ = 0;
}

}  // namespace tonearm::native
