#pragma once
// Describes bodies of requests by the members of the structs that they fill:
//
//   constexpr BodyRows kPlan(body_field<&PlanBody::plan>("plan", {.values = kPlanNames}, "The plan.", R"("free")"));
//
// The C++ type of the member gives the type of the field: an enumeration is one of `values`, an array of bools a set of
// them. More steps may follow the member, as in `describe.h`. A member of a type without JSON, or of another struct,
// does not compile. Include this only in files that describe bodies.

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reflection/body_type.h"
#include "reflection/steps.h"
#include "text/unicode.h"

namespace tonearm::table {
namespace detail {

template <class T>
inline constexpr bool kIsSet = false;
template <std::size_t Size>
inline constexpr bool kIsSet<std::array<bool, Size>> = true;
template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

template <class T>
constexpr FieldType type_of_body_member() {
  if constexpr (std::is_same_v<T, bool>) {
    return FieldType::boolean;
  } else if constexpr (std::is_integral_v<T>) {
    return FieldType::integer;
  } else if constexpr (std::is_floating_point_v<T>) {
    return FieldType::number;
  } else if constexpr (std::is_same_v<T, std::string> || std::is_enum_v<T>) {
    return FieldType::string;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>> || kIsSet<T>) {
    return FieldType::strings;
  } else if constexpr (kIsList<T>) {
    return FieldType::objects;
  } else {
    static_assert(std::is_class_v<T>, "no JSON for a member of this type");
    return FieldType::object;
  }
}

inline std::size_t index_of(const BodyField& field, std::string_view value) {
  return static_cast<std::size_t>(std::find(field.values.begin(), field.values.end(), value) - field.values.begin());
}

inline void assign(std::string& member, const BodyField& field, const boost::json::value& value) {
  const std::string_view string = value.get_string();
  member = field.text == BodyText::name ? text::trimmed(string) : string;
}
inline void assign(bool& member, const BodyField& /*field*/, const boost::json::value& value) {
  member = value.get_bool();
}
inline void assign(std::vector<std::string>& member, const BodyField& /*field*/, const boost::json::value& value) {
  for (const boost::json::value& item : value.get_array()) {
    member.push_back(boost::json::value_to<std::string>(item));
  }
}
template <class Member>
void assign(Member& member, const BodyField& field, const boost::json::value& value) {
  if constexpr (steps::kIsOptional<Member>) {
    member.emplace();
    if (!value.is_null()) assign(*member, field, value);
  } else if constexpr (std::is_enum_v<Member>) {
    member = static_cast<Member>(index_of(field, std::string_view(value.get_string())));
  } else if constexpr (std::is_integral_v<Member>) {
    member = static_cast<Member>(value.get_int64());
  } else if constexpr (std::is_floating_point_v<Member>) {
    member = value.to_number<Member>();
  } else if constexpr (kIsSet<Member>) {
    for (const boost::json::value& item : value.get_array()) {
      member.at(index_of(field, std::string_view(item.get_string()))) = true;
    }
  } else if constexpr (kIsList<Member>) {
    for (const boost::json::value& item : value.get_array()) {
      erased::fill(&member.emplace_back(), *field.object, item.get_object());
    }
  } else {
    erased::fill(&member, *field.object, value.get_object());
  }
}

}  // namespace detail

/// One field that fills a member of a `View`.
template <class View>
struct BodyFieldOf {
  BodyField row;
};

/// All fields of a body. REQUIRES: a constant at namespace scope, because others point to its rows.
template <class View, std::size_t Count>
struct BodyRows {
  template <class... Rows>
  constexpr explicit BodyRows(const Rows&... fields) : rows{fields.row...} {}

  std::array<BodyField, Count> rows;
};
template <class View, class... More>
BodyRows(const BodyFieldOf<View>&, const More&...) -> BodyRows<View, 1 + sizeof...(More)>;

struct Choices {
  std::span<const std::string_view> exactly_one_of{};
  std::span<const std::string_view> at_least_one_of{};
};
template <class View, std::size_t Count>
constexpr Body<View> body_of(const BodyRows<View, Count>& rows, const Choices& choices = {},
                             std::size_t bytes_max = kBodyBytes) {
  return {{rows.rows, choices.exactly_one_of, choices.at_least_one_of, bytes_max}};
}

namespace detail {

/// Null clears an optional member: it gets a default value of its type. An optional number becomes absent.
template <auto First, auto... Rest>
constexpr auto describe_body(std::string_view name, const BodyRule& rule, std::string_view description,
                             std::string_view example) {
  using View = steps::Owner<decltype(First)>;
  using Member = std::remove_reference_t<decltype(steps::Chain<First, Rest...>::follow(std::declval<View&>()))>;
  BodyField row{rule};
  row.name = name;
  row.type = type_of_body_member<steps::WithoutOptional<Member>>();
  row.description = description;
  row.example = example;
  row.store = [](void* body, const BodyField& field, const boost::json::value& value) {
    Member& member = steps::Chain<First, Rest...>::follow(*static_cast<View*>(body));
    constexpr bool kIgnoresNull = !steps::kIsOptional<Member> || std::is_same_v<Member, std::optional<double>>;
    if (value.is_null() && kIgnoresNull) return;
    assign(member, field, value);
  };
  return BodyFieldOf<View>{row};
}

}  // namespace detail

template <auto First, auto... Rest>
constexpr auto body_field(std::string_view name, const BodyRule& rule, std::string_view description,
                          std::string_view example) {
  return detail::describe_body<First, Rest...>(name, rule, description, example);
}
/// A nested object, or a list of them.
template <auto First, auto... Rest, class View>
constexpr auto body_field(std::string_view name, const Body<View>& type, const BodyRule& rule,
                          std::string_view description, std::string_view example) {
  auto field = detail::describe_body<First, Rest...>(name, rule, description, example);
  field.row.object = &type;
  return field;
}

}  // namespace tonearm::table
