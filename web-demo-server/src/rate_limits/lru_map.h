#pragma once
// A map with a maximum size. When it is full, it evicts the least recently used entry. Not thread-safe.

#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace tonearm::web {

template <class Value>
class LruMap {
 public:
  explicit LruMap(std::size_t entries_max) : entries_max_(entries_max) {}

  /// Returns the value of the key and adds it if it is missing. The reference is valid until the next call.
  Value& at(const std::string& key) {
    if (auto* found = find(key)) return *found;
    if (index_.size() >= entries_max_) {
      index_.erase(order_.back().first);
      order_.pop_back();
    }
    order_.emplace_front(key, Value{});
    index_[key] = order_.begin();
    return order_.front().second;
  }

  Value* find(const std::string& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return &found->second->second;
  }

  void erase(const std::string& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    order_.erase(found->second);
    index_.erase(found);
  }

 private:
  using Order = std::list<std::pair<std::string, Value>>;

  std::size_t entries_max_;
  Order order_;  // most recently used first
  std::unordered_map<std::string, typename Order::iterator> index_;
};

}  // namespace tonearm::web
