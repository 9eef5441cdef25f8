#pragma once
// From the query string of a target to checked values, as the rows of a table of parameters say (C2).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "table/parameters.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// One parameter as it was given. What is filled follows from the parameter's type.
struct Value {
  std::string text;                 // decoded: every type
  std::vector<std::string> items;   // tags, domains, paths, ids: each once
  std::vector<std::size_t> chosen;  // choice, choices: indices into `values`, each once
  std::uint64_t number = 0;         // digits, cursor; decimal in thousandths; boolean as 0 or 1
  std::uint64_t range_min = 0;      // tempo_range
  std::uint64_t range_max = 0;
};

/// The values of one request, by the name of their parameter.
class Values {
 public:
  explicit Values(std::span<const table::Parameter> parameters) : parameters_(parameters), values_(parameters.size()) {}

  std::span<const table::Parameter> parameters() const { return parameters_; }
  /// The value, or null where the parameter was not given (an empty `q` counts as not given).
  /// REQUIRES: the table has a parameter of that name.
  const Value* find(std::string_view name) const;
  const std::optional<Value>& at(std::size_t row) const { return values_[row]; }
  void replace(std::size_t row, std::optional<Value> value) { values_[row] = std::move(value); }

  std::uint32_t number_or(std::string_view name, std::uint32_t otherwise) const;
  std::optional<bool> boolean(std::string_view name) const;

 private:
  std::span<const table::Parameter> parameters_;
  std::vector<std::optional<Value>> values_;
};

/// Parses `query` (what stands behind `?`, not decoded). Errors are invalid_parameter and name the parameter.
Result<Values> parse_query(std::string_view query, std::span<const table::Parameter> parameters);

/// The candidate that a mistyped word most likely meant, if one is near; case is no difference.
std::optional<std::string_view> near_match(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace tonearm::api
