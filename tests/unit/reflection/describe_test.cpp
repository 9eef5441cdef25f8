#include "reflection/describe.h"

#include <doctest/doctest.h>

#include <map>

namespace tonearm::table {
namespace {

struct Inner {
  std::string name;
  std::optional<std::int64_t> seen_ms;
};
struct Outer {
  Inner inner;
  const Inner* other = nullptr;
  std::vector<Inner> list{};
  std::vector<std::pair<std::string, std::string>> map{};
  std::optional<std::uint32_t> count{};
  std::string note{};
  std::vector<std::string_view> ready{};
  bool good = false;
};

constexpr Object kInner("Inner", "A part.", field<&Inner::name>("name", "Its name.", R"("a")").untrusted(),
                        field<&Inner::seen_ms, rfc3339>("seen", "When.", "null"));

constexpr Object kOuter("Outer", "A whole.", field<&Outer::inner>("inner", kInner, "One."),
                        field<&Outer::other>("other", kInner, "Or not."),
                        field<&Outer::list>("list", kInner, "Several."), field<&Outer::map>("map", "By name.", "{}"),
                        field<&Outer::count>("count", "Where it is known.", "1").omitted_if_absent(),
                        field<&Outer::note, or_null>("note", "Words.", "null"),
                        field<&Outer::ready>("ready", rendered(kInner), "As JSON."),
                        field<&Outer::inner, &Inner::name, &std::string::size>("length", "Of the name.", "1"),
                        field(
                            "half",
                            [](const Outer& it) {
                              return Decimal{it.good ? 5U : 0U, 1};
                            },
                            "A number.", "0.5"));

}  // namespace

TEST_CASE("The C++ type of a value determines the type of the field and whether it is nullable") {
  std::map<std::string_view, Field> by_name;
  for (const Field& field : kOuter.fields) by_name.emplace(field.name, field);
  const struct {
    std::string_view name;
    FieldType type;
    Nullable nullable;
  } rows[] = {
      {"inner", FieldType::object, Nullable::no},  {"other", FieldType::object, Nullable::yes},
      {"list", FieldType::objects, Nullable::no},  {"map", FieldType::map, Nullable::no},
      {"count", FieldType::integer, Nullable::no}, {"note", FieldType::string, Nullable::yes},
      {"ready", FieldType::objects, Nullable::no}, {"length", FieldType::integer, Nullable::no},
      {"half", FieldType::number, Nullable::no},
  };
  CHECK(by_name.size() == std::size(rows));
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(by_name.at(row.name).type == row.type);
    CHECK(by_name.at(row.name).nullable == row.nullable);
  }
  CHECK(by_name.at("count").presence == Presence::optional);
  CHECK(by_name.at("inner").object == &kInner);
  CHECK(kInner.fields[0].trust == Trust::untrusted);
  CHECK(kInner.fields[1].nullable == Nullable::yes);
}

TEST_CASE("An object is written in the order of its fields; absent values are null or omitted") {
  Outer outer{.inner = {"a", std::nullopt}};
  CHECK(to_json(type_of(kOuter), outer) ==
        R"({"inner":{"name":"a","seen":null},"other":null,"list":[],"map":{},"note":null,"ready":[],)"
        R"("length":1,"half":0})");
  const Inner other{"b", 0};
  outer = {.inner = {"", 1'000},
           .other = &other,
           .list = {{"c", std::nullopt}, {"d", std::nullopt}},
           .map = {{"k", "v"}, {"l", "w"}},
           .count = 7,
           .note = "n",
           .ready = {"{}", "1"},
           .good = true};
  CHECK(to_json(type_of(kOuter), outer) ==
        R"({"inner":{"name":"","seen":"1970-01-01T00:00:01Z"},"other":{"name":"b","seen":"1970-01-01T00:00:00Z"},)"
        R"("list":[{"name":"c","seen":null},{"name":"d","seen":null}],"map":{"k":"v","l":"w"},"count":7,"note":"n",)"
        R"("ready":[{},1],"length":0,"half":0.5})");
}

TEST_CASE("If the first field is omitted, no comma is written") {
  struct View {
    std::optional<std::uint32_t> first;
    std::uint32_t second = 2;
  };
  static constexpr Object kView("View", "Two.", field<&View::first>("first", "Maybe.", "1").omitted_if_absent(),
                                field<&View::second>("second", "Always.", "2"));
  CHECK(to_json(type_of(kView), {}) == R"({"second":2})");
  CHECK(to_json(type_of(kView), {.first = 1}) == R"({"first":1,"second":2})");
}

}  // namespace tonearm::table
