#include "shard_store.h"

#include <string>
#include <utility>

#include "imports.h"
#include "tonearm/message.h"

namespace tonearm::wasm {
namespace {

constexpr std::int64_t kIntegerMax = (std::int64_t{1} << 53) - 1;
constexpr std::size_t kValueBytesMax = std::size_t{4} * 1024 * 1024;  // the platform allows 2 MB per row

/// The kind of a value in a message, a number that precedes the value.
enum class ValueKind : std::uint32_t { null, integer, text, blob };

void write_kind(MessageWriter& out, ValueKind kind) { out.number(static_cast<std::size_t>(kind)); }

void write_value(MessageWriter& out, const sql::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer > kIntegerMax || *integer < -kIntegerMax) throw sql::Failure("a number is too large for the storage");
    write_kind(out, ValueKind::integer);
    out.integer(*integer);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    write_kind(out, ValueKind::text);
    out.text(*text);
  } else if (const auto* blob = std::get_if<sql::Blob>(&value)) {
    write_kind(out, ValueKind::blob);
    out.text(blob->bytes);
  } else {
    write_kind(out, ValueKind::null);
  }
}

sql::Value read_value(MessageReader& in) {
  switch (static_cast<ValueKind>(in.number())) {
    case ValueKind::integer:
      return in.integer();
    case ValueKind::text:
      return in.text(kValueBytesMax);
    case ValueKind::blob:
      return sql::Blob{in.text(kValueBytesMax)};
    case ValueKind::null:
      break;
  }
  return std::monostate{};
}

sql::Rows read_rows(std::string_view message) {
  MessageReader in(message);
  sql::Rows rows(in.number());
  const std::uint32_t columns = in.number();
  for (sql::Row& row : rows) {
    row.reserve(columns);
    for (std::uint32_t column = 0; column < columns; ++column) row.push_back(read_value(in));
    if (in.is_malformed()) break;
  }
  if (!in.is_complete()) throw sql::Failure("the storage returned rows with a different layout");
  return rows;
}

class ShardTransaction final : public sql::Transaction {
 public:
  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    MessageWriter values;
    values.number(parameters.size());
    for (const sql::Value& value : parameters) write_value(values, value);
    const std::string message = values.take();
    const std::int32_t size = host_sql(statement.data(), statement.size(), message.data(), message.size());
    if (size < 0) throw sql::Failure("the storage failed: " + take_result(static_cast<std::size_t>(-(size + 1))));
    return read_rows(take_result(static_cast<std::size_t>(size)));
  }
  std::string_view create_table_suffix() const override { return " WITHOUT ROWID"; }
};

}  // namespace

bool RunningTransaction::run() noexcept {
  try {
    ShardTransaction transaction;
    body_(transaction);
    return true;
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
}

void ShardStore::transact(const std::function<void(sql::Transaction&)>& body) {
  RunningTransaction running(body);
  const std::int32_t size = host_transact(&running);
  running.rethrow();
  if (size < 0) throw sql::Failure("the storage failed: " + take_result(static_cast<std::size_t>(-(size + 1))));
}

std::optional<std::int64_t> ShardStore::next_number() { return static_cast<std::int64_t>(host_next_number()); }

}  // namespace tonearm::wasm
