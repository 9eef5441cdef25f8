#pragma once
// What answers queries: the service itself, or a peer that it is compared with. For one thread.

#include <cstdint>
#include <string>
#include <vector>

#include "query.h"

namespace tonearm::bench {

class Engine {
 public:
  virtual ~Engine() = default;
  /// As tables call it: "plain FTS5".
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// False for what is the service too.
  virtual bool is_peer() const { return true; }
  /// Whether it has a form of the query.
  virtual bool takes(const Query& query) const = 0;
  /// The whole work of a call, from the target of a query that it takes to the body of the answer.
  virtual std::string answer(const std::string& target) = 0;
  /// What may wait until nothing is measured.
  virtual void rest() {}
};

/// The same body as ours, joined from the rendered tracks of a page.
std::string page_body(const std::vector<std::string>& tracks, std::uint64_t total, const SearchQuery& search);

/// The words of `q`. In generated catalogs and queries they are separated by one space and in lower case.
std::vector<std::string> words_of(const SearchQuery& search);

/// The order in force: SORT-1, SORT-3.
Sort order_of(const SearchQuery& search);

}  // namespace tonearm::bench
