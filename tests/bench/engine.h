#pragma once
// An engine that answers queries: the service itself or a peer. Used by one thread.

#include <cstdint>
#include <string>
#include <vector>

#include "query.h"

namespace tonearm::bench {

class Engine {
 public:
  virtual ~Engine() = default;
  /// As in the tables: "plain FTS5".
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// False if the engine is the service, too.
  virtual bool is_peer() const { return true; }
  /// Whether the engine can express the query.
  virtual bool supports(const Query& query) const = 0;
  /// Does the whole work of a call, from the target of a supported query to the body of the response.
  virtual std::string answer(const std::string& target) = 0;
  /// Does deferred work. Called outside measured time.
  virtual void run_housekeeping() {}
};

/// Joins the rendered tracks of a page to the same body as the service's.
std::string page_body(const std::vector<std::string>& tracks, std::uint64_t total, const SearchQuery& search);

/// Returns the words of `q`. In generated catalogs and queries, words are in lower case and separated by one space.
std::vector<std::string> words_of(const SearchQuery& search);

/// Returns the effective order: SORT-1, SORT-3.
Sort order_of(const SearchQuery& search);

}  // namespace tonearm::bench
