#include "state/state_meta.h"

#include <charconv>
#include <system_error>

#include "state/columns.h"

namespace tonearm::state {

std::optional<std::string> read_meta(sql::Transaction& transaction, const std::string& name) {
  const sql::Rows rows = transaction.execute("SELECT value FROM state_meta WHERE name = ?1", {name});
  if (rows.empty()) return std::nullopt;
  return text_at(rows[0], 0);
}

void write_meta(sql::Transaction& transaction, const std::string& name, const std::string& value) {
  transaction.execute(
      "INSERT INTO state_meta (name, value) VALUES (?1, ?2)"
      " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      {name, value});
}

std::int64_t read_meta_number(sql::Transaction& transaction, const std::string& name) {
  const std::optional<std::string> text = read_meta(transaction, name);
  if (!text) return 0;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size() || number < 0) {
    throw sql::Failure("the state is damaged: " + name + " is not a number");
  }
  return number;
}

}  // namespace tonearm::state
