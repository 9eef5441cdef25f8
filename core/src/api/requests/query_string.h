#pragma once
// Parses and checks query strings by the rows of a table of parameters (docs/spec/queries.md). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reflection/parameters.h"
#include "tonearm/result.h"

namespace tonearm::api {

using table::Value;

/// The values of one request, by the name of their parameter.
class Values {
 public:
  explicit Values(std::span<const table::Parameter> parameters) : parameters_(parameters), values_(parameters.size()) {}

  std::span<const table::Parameter> parameters() const { return parameters_; }
  /// Returns the value, or null if the parameter was not given. An empty `q` counts as not given.
  /// REQUIRES: the table has a parameter of that name.
  const Value* find(std::string_view name) const;
  const std::optional<Value>& at(std::size_t row) const { return values_[row]; }
  void replace(std::size_t row, std::optional<Value> value) { values_[row] = std::move(value); }

  /// Stores the values in the struct that the parameters describe.
  void store(void* arguments) const;

 private:
  std::span<const table::Parameter> parameters_;
  std::vector<std::optional<Value>> values_;
};

/// Parses `query`, the part after `?`, not decoded. Errors: invalid_parameter, which names the parameter.
Result<Values> parse_query(std::string_view query, std::span<const table::Parameter> parameters);

/// REQUIRES: values of these parameters.
template <class Arguments>
Arguments arguments_of(const table::Parameters<Arguments>& /*parameters*/, const Values& values) {
  Arguments arguments;
  values.store(&arguments);
  return arguments;
}

}  // namespace tonearm::api
