#pragma once
// TOML files of the builder (policy, settings, mappings), read strictly: a key that nobody knows is an error.

#include <toml++/toml.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

/// Throws Failure with file, line and what is wrong. `name` stands for the file in messages.
toml::table parse_toml(std::string_view text, const std::string& name);
toml::table read_toml(const std::string& path);

/// A table that knows where it stands, for messages such as `x.toml: input.fields.title.column must be a string`.
/// REQUIRES: the table outlives it.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string where) : table_(table), where_(std::move(where)) {}

  /// Throws Failure for a key that is not among these.
  void allow_only(const std::vector<std::string_view>& keys) const;

  /// Each throws Failure where the value has another type.
  std::optional<std::string> string(std::string_view key) const;
  std::string required_string(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::vector<std::string> strings(std::string_view key) const;
  std::optional<TomlTable> table(std::string_view key) const;
  std::vector<TomlTable> tables(std::string_view key) const;

  std::vector<std::string> keys() const;
  bool has(std::string_view key) const { return table_.contains(key); }
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;

 private:
  const toml::table& table_;
  std::string where_;
};

}  // namespace tonearm::builder
