#pragma once
// A bounded cache of whole catalog answers by request. It evicts the least recently used ones. Answers in it contain
// nothing about an account. Safe for concurrent calls, if the shared cache is.

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "api/requests/query_string.h"
#include "tonearm/service_counts.h"
#include "tonearm/shared_answers.h"

namespace tonearm::api {

struct CachedAnswer {
  std::shared_ptr<const std::string> body;  // never null
  std::optional<std::uint32_t> result_count;
};

/// Returns a key that is equal for equal requests on the same snapshot: the version, the route, and the parameters in
/// the order of the table.
std::string answer_key(std::string_view route, std::string_view version, const Values& values);

class AnswerCache {
 public:
  /// `bytes_max`: of all keys and bodies; 0: caches nothing. `shared`: the cache of several processes, asked if this
  /// one has no answer; may be null.
  explicit AnswerCache(std::size_t bytes_max, SharedAnswers* shared = nullptr)
      : bytes_max_(bytes_max), shared_(shared) {}

  /// Returns null if the key is not cached.
  std::shared_ptr<const CachedAnswer> find(const std::string& key);
  /// Offers the answer to the shared cache, and stores it unless it is large in relation to the bound.
  void insert(const std::string& key, CachedAnswer answer);
  ServiceCounts counts() const;

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const CachedAnswer> answer;
  };
  static std::size_t size_of(const Entry& entry);
  std::shared_ptr<const CachedAnswer> find_here(const std::string& key);
  void insert_here(Entry entry);
  void evict_oldest();

  const std::size_t bytes_max_;
  SharedAnswers* const shared_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;
  std::size_t bytes_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace tonearm::api
