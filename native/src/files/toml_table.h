#pragma once
// Reads TOML strictly: an unknown key is an error. Errors name the file and the line.

#include <toml++/toml.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::native {

inline constexpr std::size_t kTomlBytesMax = std::size_t{16} << 20U;

/// Parses the TOML of every program (PROGRAM-28). `name` identifies the file in error messages. Throws Failure with the
/// file, the line and the reason, also for text that is too long or nested too deeply.
toml::table parse_toml(std::string_view text, const std::string& name);

/// A table that knows its position in the file, for messages such as
/// `x.toml:7: input[0].fields.title.column must be a string`.
/// REQUIRES: the table outlives it.
class TomlTable {
 public:
  /// The root table. `file` is the name in error messages.
  TomlTable(const toml::table& table, std::string file) : TomlTable(table, std::move(file), {}) {}

  /// Throws Failure if the table contains any other key.
  void allow_only(const std::vector<std::string_view>& keys) const;

  /// Each of these throws Failure if the value has another type.
  std::optional<std::string> string(std::string_view key) const;
  std::string required_string(std::string_view key) const;
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::vector<std::string> strings(std::string_view key) const;
  std::optional<TomlTable> table(std::string_view key) const;
  TomlTable required_table(std::string_view key) const;
  std::vector<TomlTable> tables(std::string_view key) const;
  /// Returns the tables of an array, or a single table as a list of one.
  std::vector<TomlTable> one_or_more(std::string_view key) const;

  std::vector<std::string> keys() const;
  bool has(std::string_view key) const { return table_.contains(key); }
  /// Returns "x.toml:7: input[0].key", with the line of the key, or of the table if the key is absent.
  std::string location_of(std::string_view key) const;
  [[noreturn]] void fail(std::string_view key, const std::string& what) const;

 private:
  TomlTable(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}
  std::string path_of(std::string_view key) const;

  const toml::table& table_;
  std::string file_;
  std::string path_;  // of the table in the file; empty for the root
};

}  // namespace tonearm::native
