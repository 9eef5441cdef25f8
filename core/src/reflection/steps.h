#pragma once
// Steps from a struct to a value inside it: members, and functions that take what the step before gave. Tables name
// them as template arguments, so that a step that does not fit does not compile. Used by the describing headers of this
// folder.

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace tonearm::table::steps {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Goes all the steps. What is absent stays so.
template <auto... Steps>
struct Chain {
  template <class V>
  static V follow(V&& value) {
    return std::forward<V>(value);
  }
};
template <auto Step, auto... Rest>
struct Chain<Step, Rest...> {
  template <class V>
  static decltype(auto) follow(V&& value) {
    if constexpr (kIsOptional<std::remove_cvref_t<V>>) {
      using Result = std::optional<std::decay_t<decltype(Chain::follow(*value))>>;
      return value ? Result(Chain::follow(*value)) : Result();
    } else {
      static_assert(std::is_lvalue_reference_v<V> || !std::is_member_object_pointer_v<decltype(Step)>,
                    "a member of a value that ends with the step");
      return Chain<Rest...>::follow(std::invoke(Step, std::forward<V>(value)));
    }
  }
};

/// The struct that a first step, or a lambda, starts from.
template <class Step>
struct OwnerOf;
template <class Owner, class Value>
struct OwnerOf<Value Owner::*> {
  using Type = Owner;
};
template <class Value, class Owner>
struct OwnerOf<Value (*)(Owner&)> {
  using Type = std::remove_const_t<Owner>;
};
template <class Lambda, class Value, class Owner>
struct OwnerOf<Value (Lambda::*)(const Owner&) const> {
  using Type = Owner;
};
template <class Step>
using Owner = typename OwnerOf<std::remove_const_t<Step>>::Type;

}  // namespace tonearm::table::steps
