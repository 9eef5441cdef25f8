#pragma once
// Reads the columns of a row as plain values. A column with another type than in the schema throws sql::Failure.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::state {

template <class T>
const T& column_at(const sql::Row& row, std::size_t column) {
  const T* value = column < row.size() ? std::get_if<T>(&row[column]) : nullptr;
  if (value == nullptr) throw sql::Failure("the state is damaged: a column has another type than its schema says");
  return *value;
}

inline const std::string& text_at(const sql::Row& row, std::size_t column) {
  return column_at<std::string>(row, column);
}
inline std::int64_t integer_at(const sql::Row& row, std::size_t column) { return column_at<std::int64_t>(row, column); }

inline std::uint32_t count_at(const sql::Row& row, std::size_t column) {
  const std::int64_t value = integer_at(row, column);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
    throw sql::Failure("the state is damaged: a count is out of range");
  }
  return static_cast<std::uint32_t>(value);
}

inline bool is_null_at(const sql::Row& row, std::size_t column) {
  return column < row.size() && std::holds_alternative<std::monostate>(row[column]);
}
inline std::optional<std::int64_t> maybe_integer_at(const sql::Row& row, std::size_t column) {
  if (is_null_at(row, column)) return std::nullopt;
  return integer_at(row, column);
}
inline std::optional<std::string> maybe_text_at(const sql::Row& row, std::size_t column) {
  if (is_null_at(row, column)) return std::nullopt;
  return text_at(row, column);
}

/// Returns a row of parameters for each element.
template <class Range, class ToRow>
std::vector<sql::Row> to_rows(const Range& range, const ToRow& to_row) {
  std::vector<sql::Row> rows;
  rows.reserve(range.size());
  for (const auto& element : range) rows.push_back(to_row(element));
  return rows;
}

template <class T>
sql::Value nullable(const std::optional<T>& value) {
  if (!value) return std::monostate{};
  return *value;
}

}  // namespace tonearm::state
