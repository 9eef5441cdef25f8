#include "case_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace tonearm::cases {
namespace {

namespace json = boost::json;

/// Reads the members of one line, and rejects unknown ones.
class LineReader {
 public:
  LineReader(std::string place, json::object members) : place_(std::move(place)), members_(std::move(members)) {}

  [[noreturn]] void fail(const std::string& what) const { throw CaseFileError(place_ + ": " + what); }

  void allow(std::initializer_list<std::string_view> names) const {
    for (const auto& member : members_) {
      if (std::find(names.begin(), names.end(), std::string_view(member.key())) == names.end()) {
        fail("unknown member \"" + std::string(member.key()) + '"');
      }
    }
  }

  const json::value* find(std::string_view name) const { return members_.if_contains(name); }

  std::string text(std::string_view name) const {
    const auto* value = find(name);
    if (value == nullptr || !value->is_string()) fail('"' + std::string(name) + "\" must be a string");
    return json::value_to<std::string>(*value);
  }

  std::optional<std::int64_t> integer(std::string_view name) const {
    const auto* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_int64()) fail('"' + std::string(name) + "\" must be an integer");
    return value->as_int64();
  }

  LineReader object(std::string_view name) const {
    const auto* value = find(name);
    if (value == nullptr) return {place_, {}};
    if (!value->is_object()) fail('"' + std::string(name) + "\" must be an object");
    return {place_, value->as_object()};
  }

  std::vector<std::pair<std::string, std::string>> texts() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& member : members_) result.emplace_back(member.key(), text(member.key()));
    return result;
  }

  const json::object& members() const { return members_; }

 private:
  std::string place_;
  json::object members_;
};

Expectation read_expectation(const LineReader& line) {
  line.allow({"status", "headers", "body"});
  Expectation expect;
  if (const auto status = line.integer("status")) expect.status = static_cast<int>(*status);
  const auto headers = line.object("headers");
  for (const auto& member : headers.members()) {
    std::optional<std::string> value;
    if (!member.value().is_null()) value = headers.text(member.key());
    expect.headers.emplace_back(member.key(), value);
  }
  if (const auto* body = line.find("body")) expect.body = *body;
  return expect;
}

void read_account(const LineReader& line, Step& step) {
  constexpr std::array<std::string_view, 3> kPlans{"free", "pro", "unlimited"};
  const auto* as = line.find("as");
  if (as == nullptr || as->is_null()) return;
  const auto text = line.text("as");
  const auto colon = text.find(':');
  step.plan = text.substr(0, colon);
  if (std::find(kPlans.begin(), kPlans.end(), step.plan) == kPlans.end() || colon + 1 >= text.size()) {
    line.fail("\"as\" must be plan:name");
  }
  step.name = text.substr(colon + 1);
}

Step read_step(const LineReader& line) {
  line.allow({"as", "admin", "method", "target", "headers", "body", "advance_s", "expect", "capture", "note"});
  Step step;
  step.source = line.members();
  step.admin = line.find("admin") != nullptr;
  if (step.admin && (line.find("as") != nullptr || line.find("method") != nullptr)) {
    line.fail("an admin step has neither \"as\" nor \"method\"");
  }
  read_account(line, step);
  step.method = line.text(step.admin ? "admin" : "method");
  step.target = line.text("target");
  step.headers = line.object("headers").texts();
  if (const auto* body = line.find("body")) step.body = *body;
  step.advance_s = line.integer("advance_s").value_or(0);
  step.expect = read_expectation(line.object("expect"));
  step.capture = line.object("capture").texts();
  return step;
}

}  // namespace

CaseFile read_case_file(const std::string& path) {
  CaseFile file;
  file.name = std::filesystem::path(path).filename().string();
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CaseFileError("cannot read " + path);
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = file.name + ':' + std::to_string(number);
    json::error_code error;
    auto value = json::parse(text, error);
    if (error || !value.is_object()) throw CaseFileError(place + ": not one JSON object: " + error.message());
    const LineReader line(place, std::move(value.as_object()));
    if (line.find("file") != nullptr) {
      const auto options = line.object("file");
      options.allow({"catalog", "captures", "note"});
      file.with_catalog = options.find("catalog") == nullptr || options.text("catalog") != "none";
      file.captures_are_optional = options.find("captures") != nullptr;
      if (file.captures_are_optional && options.text("captures") != "optional")
        options.fail("\"captures\" is optional");
      continue;
    }
    file.steps.push_back(read_step(line));
    file.steps.back().line = number;
  }
  return file;
}

std::string fill_in(std::string_view text, const Captures& captures) {
  std::string out;
  while (true) {
    const auto begin = text.find('{');
    const auto end = text.find('}', begin == std::string_view::npos ? begin : begin + 1);
    if (end == std::string_view::npos) return out.append(text);
    const auto found = captures.find(text.substr(begin + 1, end - begin - 1));
    out.append(text.substr(0, begin));
    if (found == captures.end()) {
      out += '{';  // the rest may contain another placeholder
      text.remove_prefix(begin + 1);
    } else {
      out += found->second;
      text.remove_prefix(end + 1);
    }
  }
}

json::value fill_in(const json::value& value, const Captures& captures) {
  if (value.is_string()) return json::value(fill_in(std::string_view(value.get_string()), captures));
  if (value.is_array()) {
    json::array out;
    for (const auto& item : value.get_array()) out.push_back(fill_in(item, captures));
    return out;
  }
  if (value.is_object()) {
    json::object out;
    for (const auto& member : value.get_object()) out.emplace(member.key(), fill_in(member.value(), captures));
    return out;
  }
  return value;
}

}  // namespace tonearm::cases
