#include "answer_check.h"

#include <algorithm>

namespace tonearm::cases {
namespace {

namespace json = boost::json;

std::string shown(const json::value& value) {
  constexpr std::size_t kShownMax = 200;
  auto text = json::serialize(value);
  if (text.size() > kShownMax) text = text.substr(0, kShownMax) + "...";
  return text;
}

std::string quoted(std::string_view name) { return std::string("\"").append(name).append("\""); }

std::string below(std::string_view pointer, std::string_view name) {
  return std::string(pointer).append("/").append(name);
}

std::string not_equal(const std::string& pointer, const std::string& found, const std::string& expected) {
  std::string out = pointer.empty() ? "body" : pointer;
  return out.append(": found ").append(found).append(", expected ").append(expected);
}

std::optional<std::string> difference_of_objects(const json::object& found, const json::object& expected,
                                                 const std::string& pointer) {
  auto at = found.begin();
  for (const auto& member : expected) {
    const std::string name(member.key());
    if (at == found.end()) return not_equal(pointer, "no further member", quoted(name));
    if (at->key() != member.key()) return not_equal(pointer, quoted(at->key()), quoted(name));
    if (auto inner = difference(at->value(), member.value(), below(pointer, name))) return inner;
    ++at;
  }
  if (at != found.end()) return not_equal(pointer, quoted(at->key()), "no further member");
  return std::nullopt;
}

std::optional<std::string> difference_of_arrays(const json::array& found, const json::array& expected,
                                                const std::string& pointer) {
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    if (auto inner = difference(found[i], expected[i], below(pointer, std::to_string(i)))) return inner;
  }
  if (found.size() == expected.size()) return std::nullopt;
  return not_equal(pointer, std::to_string(found.size()) + " items", std::to_string(expected.size()));
}

void check_body(const std::string& body, const json::value& expected, std::vector<std::string>& out) {
  json::error_code error;
  const auto found = json::parse(body, error);
  if (error) {
    // The expected body is a string if the body is not JSON.
    if (expected.is_string() && std::string_view(expected.get_string()) == body) return;
    out.push_back(not_equal({}, shown(json::value(body)), shown(expected)));
  } else if (auto where = difference(found, expected)) {
    out.push_back(*where);
  }
}

}  // namespace

std::optional<std::string> difference(const json::value& found, const json::value& expected,
                                      const std::string& pointer) {
  if (found.is_object() && expected.is_object()) {
    return difference_of_objects(found.get_object(), expected.get_object(), pointer);
  }
  if (found.is_array() && expected.is_array()) {
    return difference_of_arrays(found.get_array(), expected.get_array(), pointer);
  }
  if (found.kind() == expected.kind() && found == expected) return std::nullopt;
  return not_equal(pointer, shown(found), shown(expected));
}

std::vector<std::string> mismatches(const Response& answer, const Expectation& expect) {
  std::vector<std::string> out;
  if (expect.status && *expect.status != answer.status) {
    out.push_back("status: found " + std::to_string(answer.status) + ", expected " + std::to_string(*expect.status));
  }
  for (const auto& [name, value] : expect.headers) {
    const auto* found = find_header(answer.headers, name);
    if (found == nullptr && !value) continue;
    if (found != nullptr && value && *found == *value) continue;
    out.push_back(name + ": found " + (found == nullptr ? "none" : '"' + *found + '"') + ", expected " +
                  (value ? '"' + *value + '"' : "none"));
  }
  if (expect.body) check_body(answer.body, *expect.body, out);
  return out;
}

}  // namespace tonearm::cases
