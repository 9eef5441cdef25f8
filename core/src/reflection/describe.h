#pragma once
// Describes the type of an answer by the members of the struct that has its values:
//
//   constexpr Object kCreator("Creator", "An artist with tracks in the catalog.",
//       field<&CreatorCount::name>("name", "Artist name.", R"("Ada Example")").untrusted(),
//       field<&CreatorCount::track_count>("track_count", "Tracks by it.", "12"));
//
// The C++ type of the member determines the type of the field; `std::optional` or a pointer makes it nullable. More
// steps may follow the member: members, `field<&View::track, &Track::title>`, and functions,
// `field<&KeyInfo::created_ms, rfc3339>`. If steps are not enough, use a lambda: `field("total", [](const View& view) {
// ... }, ...)`. A nested object, or a list of objects, has its type instead of an example. A member of another struct,
// or a value of a type without JSON, does not compile. All of it is constant. Include this only in files that describe
// types.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "reflection/object_type.h"
#include "reflection/steps.h"
#include "tonearm/dates.h"

namespace tonearm::table {

/// A number with decimals: `scaled` / 10^`digits`.
struct Decimal {
  std::int64_t scaled = 0;
  int digits = 0;
};

// ---- Steps that several types use

/// Makes an empty text null.
inline std::optional<std::string_view> or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}
/// Like `rfc3339`, from Unix seconds.
inline std::string rfc3339_of_s(std::int64_t unix_s) { return rfc3339(unix_s * 1'000); }
/// A step for a nested object whose fields are in the same struct as those of the outer object.
template <class View>
const View& same_struct(const View& view) {
  return view;
}

namespace detail {

template <class T>
concept Text = std::is_convertible_v<const T&, std::string_view>;
template <class T>
concept MaybeAbsent = steps::kIsOptional<T> || std::is_pointer_v<T>;
template <class T>
concept List = !Text<T> && requires(const T& list) {
  *list.begin();
};
template <class T>
concept Pair = requires(const T& pair) {
  pair.first, pair.second;
};

/// The type of the value inside an optional or a pointer.
template <class T>
struct PresentOf {
  using Type = T;
};
template <MaybeAbsent T>
struct PresentOf<T> {
  using Type = std::remove_cvref_t<decltype(*std::declval<const T&>())>;
};
template <class T>
using Present = typename PresentOf<std::remove_cvref_t<T>>::Type;
template <class T>
using Element = Present<decltype(*std::declval<const T&>().begin())>;

/// Reads a field: the type of the struct, and the value in it.
template <auto First, auto... Rest>
struct Steps {
  using View = steps::Owner<decltype(First)>;
  static decltype(auto) read(const View& view) { return steps::Chain<First, Rest...>::follow(view); }
};
template <class Lambda>
struct Call {
  using View = steps::Owner<decltype(&Lambda::operator())>;
  static decltype(auto) read(const View& view) { return Lambda{}(view); }
};
template <class Getter>
using ValueOf = decltype(Getter::read(std::declval<const typename Getter::View&>()));

template <class Getter>
decltype(auto) read(const void* view) {
  return Getter::read(*static_cast<const typename Getter::View*>(view));
}

template <class T>
constexpr FieldType type_of_value() {
  if constexpr (std::is_same_v<T, bool>) {
    return FieldType::boolean;
  } else if constexpr (std::is_same_v<T, Decimal>) {
    return FieldType::number;
  } else if constexpr (std::is_integral_v<T>) {
    return FieldType::integer;
  } else if constexpr (Text<T>) {
    return FieldType::string;
  } else if constexpr (List<T>) {
    static_assert(Text<Element<T>> || Pair<Element<T>>, "a list of objects must name their type");
    return Pair<Element<T>> ? FieldType::map : FieldType::strings;
  } else {
    static_assert(Text<T>, "values of this type have no JSON: add a step that converts them");
  }
}

inline void write(json::Writer& out, std::string_view text) { out.string(text); }
inline void write(json::Writer& out, Decimal number) { out.decimal(number.scaled, number.digits); }
template <class T>
requires std::is_integral_v<T>
void write(json::Writer& out, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    out.boolean(value);
  } else {
    out.integer(static_cast<std::int64_t>(value));
  }
}
template <List T>
void write(json::Writer& out, const T& list) {
  constexpr bool kIsMap = Pair<Element<T>>;
  kIsMap ? out.begin_object() : out.begin_array();
  for (const auto& element : list) {
    if constexpr (kIsMap) {
      out.key(element.first);
      out.string(element.second);
    } else {
      out.string(element);
    }
  }
  kIsMap ? out.end_object() : out.end_array();
}

template <class Getter>
bool write_value(json::Writer& out, const Field& /*field*/, const void* view) {
  const auto& value = read<Getter>(view);
  if constexpr (MaybeAbsent<std::remove_cvref_t<decltype(value)>>) {
    if (!value) return false;
    write(out, *value);
  } else {
    write(out, value);
  }
  return true;
}

template <class View, class Value>
const View* address(const Value& value) {
  if constexpr (MaybeAbsent<Value>) {
    return value ? &static_cast<const View&>(*value) : nullptr;
  } else {
    return &static_cast<const View&>(value);
  }
}

template <class Getter, class Item>
bool write_objects(json::Writer& out, const Field& field, const void* view) {
  const auto& value = read<Getter>(view);
  const auto* list = address<Present<decltype(value)>>(value);
  if (list == nullptr) return false;
  out.begin_array();
  for (const auto& element : *list) erased::write(out, *field.object, address<Item>(element));
  out.end_array();
  return true;
}

template <class Getter>
bool write_rendered(json::Writer& out, const Field& /*field*/, const void* view) {
  const auto& value = read<Getter>(view);
  if constexpr (List<std::remove_cvref_t<decltype(value)>>) {
    std::size_t size = 0;
    for (const std::string_view json : value) size += json.size() + 1;
    out.reserve(size);
    out.begin_array();
    for (const std::string_view json : value) out.raw(json);
    out.end_array();
    return true;
  } else if constexpr (Text<std::remove_cvref_t<decltype(value)>>) {
    out.raw(value);
    return true;
  } else {
    if (value) out.raw(*value);
    return value.has_value();
  }
}

}  // namespace detail

/// Fields that are read from a `View`.
template <class View, std::size_t Count>
struct Fields {
  std::array<Field, Count> rows;

  /// Marks third-party catalog data.
  constexpr Fields untrusted() const { return with(&Field::trust, Trust::untrusted); }
  /// Omits the field instead of writing null. REQUIRES: a value that may be absent.
  constexpr Fields omitted_if_absent() const {
    for (const Field& row : rows) {
      if (row.nullable == Nullable::no) throw "a field that always has a value is never omitted";
    }
    return with(&Field::nullable, Nullable::no).with(&Field::presence, Presence::optional);
  }
  /// `values`: the only values of the field.
  constexpr Fields one_of(std::span<const std::string_view> values) const { return with(&Field::values, values); }

 private:
  template <class T>
  constexpr Fields with(T Field::*member, T value) const {
    Fields changed = *this;
    for (Field& row : changed.rows) row.*member = value;
    return changed;
  }
};

/// Joins fields, for use in several types.
template <class View, std::size_t... Counts>
constexpr Fields<View, (Counts + ...)> fields(const Fields<View, Counts>&... parts) {
  Fields<View, (Counts + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const Field& row : part.rows) all.rows[at++] = row;
  };
  (append(parts), ...);
  return all;
}

/// A described type with its rows. REQUIRES: a constant at namespace scope, because it points into itself.
template <class View, std::size_t Count>
struct Object : Type<View> {
  template <std::size_t... Counts>
  constexpr Object(std::string_view type_name, std::string_view meaning, const Fields<View, Counts>&... parts)
      : rows(table::fields(parts...)) {
    this->name = type_name;
    this->description = meaning;
    this->fields = rows.rows;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  Fields<View, Count> rows;
};
template <class View, std::size_t... Counts>
Object(std::string_view, std::string_view, const Fields<View, Counts>&...) -> Object<View, (Counts + ...)>;

/// The type as other files use it.
template <class View, std::size_t Count>
constexpr Type<View> type_of(const Object<View, Count>& object) {
  return {{object.name, object.description, object.fields, object.completeness}};
}

/// Objects that are already JSON.
template <class View>
struct Rendered {
  const Type<View>& type;
};
template <class View>
constexpr Rendered<View> rendered(const Type<View>& type) {
  return {type};
}

namespace detail {

template <class Getter>
using OneField = Fields<typename Getter::View, 1>;

template <class Getter>
constexpr OneField<Getter> describe(std::string_view name, std::string_view description, std::string_view example) {
  using Value = std::remove_cvref_t<ValueOf<Getter>>;
  return {{Field{.name = name,
                 .description = description,
                 .example = example,
                 .type = type_of_value<Present<Value>>(),
                 .nullable = MaybeAbsent<Value> ? Nullable::yes : Nullable::no,
                 .write = write_value<Getter>}}};
}

template <class Getter, class Item>
constexpr OneField<Getter> describe(std::string_view name, const Type<Item>& type, std::string_view description) {
  using Value = std::remove_cvref_t<ValueOf<Getter>>;
  Field field{.name = name, .description = description, .object = &type};
  if constexpr (MaybeAbsent<Value>) field.nullable = Nullable::yes;
  if constexpr (List<Present<Value>>) {
    field.type = FieldType::objects;
    field.write = write_objects<Getter, Item>;
  } else {
    static_assert(std::is_lvalue_reference_v<ValueOf<Getter>> || std::is_pointer_v<Value>,
                  "the object does not outlive the step");
    field.type = FieldType::object;
    field.nested = [](const void* view) -> const void* { return address<Item>(read<Getter>(view)); };
  }
  return {{field}};
}

template <class Getter, class Item>
constexpr OneField<Getter> describe(std::string_view name, Rendered<Item> as, std::string_view description) {
  using Value = std::remove_cvref_t<ValueOf<Getter>>;
  return {{Field{.name = name,
                 .description = description,
                 .type = List<Value> ? FieldType::objects : FieldType::object,
                 .nullable = MaybeAbsent<Value> ? Nullable::yes : Nullable::no,
                 .object = &as.type,
                 .write = write_rendered<Getter>}}};
}

}  // namespace detail

/// A field that is read by steps. `example` is JSON.
template <auto First, auto... Rest>
constexpr auto field(std::string_view name, std::string_view description, std::string_view example) {
  return detail::describe<detail::Steps<First, Rest...>>(name, description, example);
}
/// An object, or a list of objects.
template <auto First, auto... Rest, class View>
constexpr auto field(std::string_view name, const Type<View>& type, std::string_view description) {
  return detail::describe<detail::Steps<First, Rest...>>(name, type, description);
}
template <auto First, auto... Rest, class View>
constexpr auto field(std::string_view name, Rendered<View> as, std::string_view description) {
  return detail::describe<detail::Steps<First, Rest...>>(name, as, description);
}
template <class View, class Lambda>
constexpr auto field(std::string_view name, Rendered<View> as, Lambda /*read*/, std::string_view description) {
  return detail::describe<detail::Call<Lambda>>(name, as, description);
}
/// A field that is read by a lambda.
template <class Lambda>
constexpr auto field(std::string_view name, Lambda /*read*/, std::string_view description, std::string_view example) {
  return detail::describe<detail::Call<Lambda>>(name, description, example);
}
template <class View, class Lambda>
constexpr auto field(std::string_view name, const Type<View>& type, Lambda /*read*/, std::string_view description) {
  return detail::describe<detail::Call<Lambda>>(name, type, description);
}

}  // namespace tonearm::table
