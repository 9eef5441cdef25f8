#pragma once
// Translates the filters of a search to conditions of SQL on a table `t`, for both SQL peers: columns of small numbers,
// parameters `$1`, `$2`, ... in the order of `values`.

#include <functional>
#include <string>
#include <vector>

#include "tonearm/search.h"

namespace tonearm::bench {

class Conditions {
 public:
  /// Returns the condition that a track has any of these tags of the facet.
  using TagCondition =
      std::function<std::string(Conditions& conditions, Facet facet, const std::vector<std::string>& tags)>;

  Conditions(const SearchQuery& search, const TagCondition& tag_condition);

  /// "t.kind = $1 AND ...", never empty.
  const std::string& text() const { return text_; }
  const std::vector<std::string>& values() const { return values_; }

  /// Adds a parameter; returns its name.
  std::string bind(std::string value);
  /// "$3, $4"
  std::string bind_list(const std::vector<std::string>& values);

 private:
  void add(const std::string& condition);
  void add_equal(const std::string& column, std::int64_t value);
  void add_kind_and_categories(const SearchQuery& search);
  void add_license_terms(const SearchQuery& search);

  std::string text_;
  std::vector<std::string> values_;
};

}  // namespace tonearm::bench
