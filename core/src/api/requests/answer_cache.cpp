#include "api/requests/answer_cache.h"

#include <charconv>
#include <utility>

namespace tonearm::api {
namespace {

/// An answer may use at most this fraction of the cache: 1/64.
constexpr std::size_t kEntryShare = 64;
/// The approximate size of an entry without its key and body.
constexpr std::size_t kEntryBytes = 256;

// An entry of the shared cache: the number of results, if any, a line feed, and the body.

std::string shared_entry(const CachedAnswer& answer) {
  return (answer.result_count ? std::to_string(*answer.result_count) : std::string()) + '\n' + *answer.body;
}

/// Returns null if it is not an entry.
std::shared_ptr<const CachedAnswer> parse_shared_entry(const std::string& entry) {
  const std::size_t end = entry.find('\n');
  if (end == std::string::npos) return nullptr;
  CachedAnswer answer{std::make_shared<const std::string>(entry, end + 1), std::nullopt};
  if (end > 0) {
    const char* const last = entry.data() + end;
    if (std::from_chars(entry.data(), last, answer.result_count.emplace()).ptr != last) return nullptr;
  }
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
