#include "files/toml_table.h"

#include <algorithm>

#include "files/toml_depth.h"
#include "tonearm/result.h"

namespace tonearm::native {

toml::table parse_toml(std::string_view text, const std::string& name) {
  if (text.size() > kTomlBytesMax) throw Failure(name + ": is longer than 16 MiB");
  // toml++ destroys nested tables recursively, so it could exhaust the stack.
  if (const auto line = line_nested_too_deeply(text)) {
    throw Failure(name + ":" + std::to_string(*line) + ": is nested deeper than " + std::to_string(kTomlLevelsMax) +
                  " levels");
  }
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw Failure(name + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
}

void TomlTable::fail(std::string_view key, const std::string& what) const {
  throw Failure(location_of(key) + " " + what);
}

std::string TomlTable::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

std::string TomlTable::location_of(std::string_view key) const {
  const auto* node = table_.get(key);
  const auto& region = node != nullptr ? node->source() : table_.source();
  auto text = file_;
  if (region.begin) text.append(":").append(std::to_string(region.begin.line));
  return text.append(": ").append(path_of(key));
}

void TomlTable::allow_only(const std::vector<std::string_view>& keys) const {
  for (const auto& [key, value] : table_) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    std::string accepted;
    for (const auto known : keys) accepted += (accepted.empty() ? "" : ", ") + std::string(known);
    fail(key.str(), "is not known here; known are " + accepted);
  }
}

std::optional<std::string> TomlTable::string(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) fail(key, "must be a string");
  return node->as_string()->get();
}

std::string TomlTable::required_string(std::string_view key) const {
  auto value = string(key);
  if (!value || value->empty()) fail(key, "is missing");
  return *value;
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_integer()) fail(key, "must be an integer");
  return node->as_integer()->get();
}

std::optional<bool> TomlTable::boolean(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean()) fail(key, "must be true or false");
  return node->as_boolean()->get();
}

std::vector<std::string> TomlTable::strings(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (node->is_string()) return {node->as_string()->get()};
  if (!node->is_array()) fail(key, "must be an array of strings");
  std::vector<std::string> result;
  for (const auto& item : *node->as_array()) {
    if (!item.is_string()) fail(key, "must be an array of strings");
    result.push_back(item.as_string()->get());
  }
  return result;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail(key, "must be a table");
  return TomlTable(*node->as_table(), file_, path_of(key));
}

TomlTable TomlTable::required_table(std::string_view key) const {
  const auto found = table(key);
  if (!found) fail(key, "is missing");
  return *found;
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr) return {};
  if (!node->is_array()) fail(key, "must be an array of tables");
  std::vector<TomlTable> result;
  for (const auto& item : *node->as_array()) {
    if (!item.is_table()) fail(key, "must be an array of tables");
    result.push_back(TomlTable(*item.as_table(), file_, path_of(key) + "[" + std::to_string(result.size()) + "]"));
  }
  return result;
}

std::vector<TomlTable> TomlTable::one_or_more(std::string_view key) const {
  const auto* node = table_.get(key);
  if (node == nullptr || node->is_array()) return tables(key);
  return {required_table(key)};
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> result;
  for (const auto& [key, value] : table_) result.emplace_back(key.str());
  return result;
}

}  // namespace tonearm::native
