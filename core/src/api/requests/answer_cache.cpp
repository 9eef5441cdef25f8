#include "api/requests/answer_cache.h"

#include <utility>

#include "tonearm/message.h"

namespace tonearm::api {
namespace {

/// An answer may use at most this fraction of the cache: 1/64.
constexpr std::size_t kEntryShare = 64;
/// The approximate size of an entry without its key and body.
constexpr std::size_t kEntryBytes = 256;

// An entry of the shared cache is a message: whether there is a number of results, that number, and the body.

std::string shared_entry(const CachedAnswer& answer) {
  MessageWriter out;
  out.number(answer.result_count ? 1 : 0);
  out.number(answer.result_count.value_or(0));
  out.text(*answer.body);
  return out.take();
}

/// Returns null if it is not an entry.
std::shared_ptr<const CachedAnswer> parse_shared_entry(const std::string& entry) {
  MessageReader in(entry);
  const bool has_count = in.number() != 0;
  const std::uint32_t count = in.number();
  CachedAnswer answer{std::make_shared<const std::string>(in.text(entry.size())), std::nullopt};
  if (!in.is_complete()) return nullptr;
  if (has_count) answer.result_count = count;
  return std::make_shared<const CachedAnswer>(std::move(answer));
}

}  // namespace

std::string answer_key(std::string_view route, std::string_view version, const Values& values) {
  std::string key(version);
  key += route;
  for (std::size_t row = 0; row < values.parameters().size(); ++row) {
    if (!values.at(row)) continue;
    // A text may contain any character, so its length marks its end.
    const std::string& text = values.at(row)->text;
    key += std::to_string(row) + ':' + std::to_string(text.size()) + ':';
    key += text;
  }
  return key;
}

std::size_t AnswerCache::size_of(const Entry& entry) {
  return entry.key.size() + entry.answer->body->size() + kEntryBytes;
}

std::shared_ptr<const CachedAnswer> AnswerCache::find(const std::string& key) {
  auto answer = find_here(key);
  if (answer != nullptr || shared_ == nullptr) return answer;
  if (const auto entry = shared_->find(key)) answer = parse_shared_entry(*entry);
  if (answer != nullptr) insert_here({key, answer});
  return answer;
}

std::shared_ptr<const CachedAnswer> AnswerCache::find_here(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  ++(found == by_key_.end() ? misses_ : hits_);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void AnswerCache::insert(const std::string& key, CachedAnswer answer) {
  if (shared_ != nullptr) shared_->store(key, shared_entry(answer));
  insert_here({key, std::make_shared<const CachedAnswer>(std::move(answer))});
}

void AnswerCache::insert_here(Entry entry) {
  const std::size_t size = size_of(entry);
  if (size > bytes_max_ / kEntryShare) return;
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(entry.key)) return;  // another thread inserted it
  while (bytes_ + size > bytes_max_) evict_oldest();
  entries_.push_front(std::move(entry));
  by_key_.emplace(entries_.front().key, entries_.begin());
  bytes_ += size;
}

ServiceCounts AnswerCache::counts() const {
  const std::lock_guard lock(mutex_);
  return {hits_, misses_, bytes_};
}

void AnswerCache::evict_oldest() {
  bytes_ -= size_of(entries_.back());
  by_key_.erase(entries_.back().key);
  entries_.pop_back();
}

}  // namespace tonearm::api
