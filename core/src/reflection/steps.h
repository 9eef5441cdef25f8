#pragma once
// Steps from a struct to a value inside it: members, and functions that take the result of the previous step. They are
// template arguments, so a wrong step does not compile. Used by `describe*.h`.

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace tonearm::table::steps {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
struct OptionalValue {
  using Type = T;
};
template <class T>
struct OptionalValue<std::optional<T>> {
  using Type = T;
};
template <class T>
using WithoutOptional = typename OptionalValue<T>::Type;

/// Applies all steps. An absent value stays absent.
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
                    "a member of a value that does not outlive the step");
      return Chain<Rest...>::follow(std::invoke(Step, std::forward<V>(value)));
    }
  }
};

/// The struct that the first step, or a lambda, reads.
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
