#pragma once
// Describes parameters by the members of the structs that they fill:
//
//   constexpr ParameterRows kMeta(
//       parameter<&MetaArguments::limit>("limit", {.type = digits, .min = 1, .max = 200}, "How many ...", "50"),
//       parameter<&MetaArguments::q>("q", {.type = text, .max = 100}, "Keeps creators ...", "ada"));
//
// More steps may follow the member, as in `describe.h`. A parameter whose values do not fit the C++ type of its member,
// or of another struct, does not compile. Include this only in files that describe parameters.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reflection/parameters.h"
#include "reflection/steps.h"
#include "tonearm/search.h"

namespace tonearm::table {
namespace detail {

template <class Member>
constexpr bool fits(ParameterType type) {
  using T = steps::WithoutOptional<Member>;
  constexpr bool kIsNumber = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  switch (type) {
    case ParameterType::text:
    case ParameterType::line:
    case ParameterType::seed:
    case ParameterType::path_segment:
      return std::is_same_v<T, std::string>;
    case ParameterType::choice:
      return std::is_enum_v<T> || std::is_integral_v<T>;
    case ParameterType::choices:
      if constexpr (requires { typename T::value_type; }) return std::is_enum_v<typename T::value_type>;
      return false;
    case ParameterType::tags:
    case ParameterType::domains:
    case ParameterType::words:
    case ParameterType::paths:
    case ParameterType::ids:
      return std::is_same_v<T, std::vector<std::string>>;
    case ParameterType::boolean:
    case ParameterType::boolean_01:
      return std::is_same_v<T, bool>;
    case ParameterType::tempo_range:
      return std::is_same_v<T, Range>;
    case ParameterType::digits:
    case ParameterType::cursor:
      return kIsNumber;
    case ParameterType::decimal:
      return std::is_same_v<T, std::uint64_t>;
  }
  return false;
}

template <class Member>
void assign(Member& member, const Value& value) {
  using T = steps::WithoutOptional<Member>;
  if constexpr (std::is_same_v<T, std::string>) {
    member = value.text;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    member = value.items;
  } else if constexpr (std::is_same_v<T, Range>) {
    member = Range{value.range_min, value.range_max};
  } else if constexpr (std::is_same_v<T, bool>) {
    member = value.number == 1;
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    member = static_cast<T>(value.number);
  } else {
    for (const std::size_t index : value.chosen) member.push_back(static_cast<typename T::value_type>(index));
  }
}

}  // namespace detail

/// Rows that fill a struct `Arguments`.
template <class Arguments, std::size_t Count>
struct ParametersOf {
  std::array<Parameter, Count> rows;

  constexpr ParametersOf for_music() const { return with(&Parameter::applies, AppliesTo::music); }
  constexpr ParametersOf for_sfx() const { return with(&Parameter::applies, AppliesTo::sfx); }
  /// The value of an absent parameter, in the form that a request has.
  constexpr ParametersOf defaults_to(std::string_view value) const { return with(&Parameter::default_value, value); }
  /// Names of other APIs for it, separated by spaces, in any case and punctuation.
  constexpr ParametersOf not_named(std::string_view aliases) const { return with(&Parameter::aliases, aliases); }
  constexpr ParametersOf required() const { return with(&Parameter::required, true); }
  constexpr ParametersOf or_header(std::string_view name) const { return with(&Parameter::header, name); }

 private:
  template <class T>
  constexpr ParametersOf with(T Parameter::*member, T value) const {
    ParametersOf changed = *this;
    for (Parameter& row : changed.rows) row.*member = value;
    return changed;
  }
};

/// Joins rows, for use in several routes.
template <class Arguments, std::size_t... Counts>
constexpr ParametersOf<Arguments, (Counts + ...)> parameters(const ParametersOf<Arguments, Counts>&... parts) {
  ParametersOf<Arguments, (Counts + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const Parameter& row : part.rows) all.rows[at++] = row;
  };
  (append(parts), ...);
  return all;
}

/// All rows of a route, path parameters first. REQUIRES: a constant at namespace scope, because it points into itself.
template <class Arguments, std::size_t Count>
struct ParameterRows : Parameters<Arguments> {
  template <std::size_t... Counts>
  constexpr explicit ParameterRows(const ParametersOf<Arguments, Counts>&... parts) : all(parameters(parts...)) {
    std::size_t in_path = 0;
    for (const Parameter& row : all.rows) {
      if (row.type != ParameterType::path_segment) continue;
      if (&row != &all.rows[in_path]) throw "path parameters must be first";
      ++in_path;
    }
    const std::span<const Parameter> rows(all.rows);
    this->path = rows.first(in_path);
    this->query = rows.subspan(in_path);
  }
  ParameterRows(const ParameterRows&) = delete;
  ParameterRows& operator=(const ParameterRows&) = delete;

  ParametersOf<Arguments, Count> all;
};
template <class Arguments, std::size_t... Counts>
ParameterRows(const ParametersOf<Arguments, Counts>&...) -> ParameterRows<Arguments, (Counts + ...)>;

/// The rows as other files use them.
template <class Arguments, std::size_t Count>
constexpr Parameters<Arguments> parameters_of(const ParameterRows<Arguments, Count>& rows) {
  return {{rows.path, rows.query}};
}

/// A parameter of the query string, with the steps to the member that it fills.
template <auto First, auto... Rest>
constexpr auto parameter(std::string_view name, const Accepts& accepted, std::string_view description,
                         std::string_view example) {
  using Arguments = steps::Owner<decltype(First)>;
  using Member = std::remove_reference_t<decltype(steps::Chain<First, Rest...>::follow(std::declval<Arguments&>()))>;
  if (!detail::fits<Member>(accepted.type)) throw "the member cannot have values of that type";
  Parameter row{accepted};
  row.name = name;
  row.description = description;
  row.example = example;
  row.store = [](void* arguments, const Value& value) {
    detail::assign(steps::Chain<First, Rest...>::follow(*static_cast<Arguments*>(arguments)), value);
  };
  return ParametersOf<Arguments, 1>{{row}};
}
/// A {name} in the path.
template <auto Member>
constexpr auto segment(std::string_view name, std::string_view description, std::string_view example) {
  return parameter<Member>(name, {.type = ParameterType::path_segment}, description, example);
}

}  // namespace tonearm::table
