#include "state/take_downs/take_downs.h"

#include <charconv>
#include <optional>
#include <utility>

#include "state/columns.h"
#include "state/store_time.h"
#include "state/transact.h"
#include "tonearm/dates.h"

namespace tonearm::state {
namespace {

// ---- Error messages

Error too_many(std::size_t count_max) {
  return {ErrorCode::invalid_request,
          "There are " + std::to_string(count_max) +
              " take-downs, the most that are allowed. Build a catalog that has them, and remove them here."};
}
Error not_taken_down() { return {ErrorCode::not_found, "No take-down has this track id."}; }

/// Runs `body`, which may use the disk reserve: a full disk must not keep a track online (RECORD-10).
template <class T, class Body>
Result<T> change(sql::Store& store, const Body& body) {
  std::optional<Result<T>> result;
  store.transact_from_reserve([&](sql::Transaction& transaction) { result.emplace(body(transaction)); });
  return *std::move(result);
}

TakeDown take_down_at(const sql::Row& row) { return {text_at(row, 0), text_at(row, 1), text_at(row, 2)}; }

std::int64_t count(sql::Transaction& transaction) {
  return integer_at(transaction.execute("SELECT count(*) FROM take_downs").at(0), 0);
}

std::int64_t read_changes(sql::Transaction& transaction) {
  const sql::Rows rows = transaction.execute("SELECT value FROM state_meta WHERE name = 'take_down_changes'");
  if (rows.empty()) return 0;
  const std::string& text = text_at(rows.front(), 0);
  std::int64_t changes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), changes);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw sql::Failure("the state is damaged: take_down_changes is not a number");
  }
  return changes;
}

void count_change(sql::Transaction& transaction) {
  transaction.execute(
      "INSERT INTO state_meta (name, value) VALUES ('take_down_changes', ?1)"
      " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      {std::to_string(read_changes(transaction) + 1)});
}

}  // namespace

Result<AddedTakeDown> TakeDowns::add(const TakeDown& take_down) {
  auto added = change<AddedTakeDown>(store_, [&](sql::Transaction& transaction) -> Result<AddedTakeDown> {
    TakeDown stored = take_down;
    const sql::Rows rows =
        transaction.execute("SELECT track_id, reason, added FROM take_downs WHERE track_id = ?1", {stored.track_id});
    if (!rows.empty()) {
      const bool is_import = !stored.added.empty();
      if (is_import) return AddedTakeDown{take_down_at(rows.front()), false};
      transaction.execute("UPDATE take_downs SET reason = ?2 WHERE track_id = ?1", {stored.track_id, stored.reason});
      stored.added = take_down_at(rows.front()).added;
      return AddedTakeDown{stored, false};
    }
    if (count(transaction) >= static_cast<std::int64_t>(count_max_)) return too_many(count_max_);
    if (stored.added.empty()) stored.added = rfc3339(time_of(transaction, clock_));
    transaction.execute("INSERT INTO take_downs (track_id, reason, added) VALUES (?1, ?2, ?3)",
                        {stored.track_id, stored.reason, stored.added});
    count_change(transaction);
    return AddedTakeDown{stored, true};
  });
  if (added && added->is_new && on_change_) on_change_();
  return added;
}

Result<void> TakeDowns::remove(const std::string& track_id) {
  auto removed = change<void>(store_, [&](sql::Transaction& transaction) -> Result<void> {
    const sql::Rows rows =
        transaction.execute("DELETE FROM take_downs WHERE track_id = ?1 RETURNING track_id", {track_id});
    if (rows.empty()) return not_taken_down();
    count_change(transaction);
    return {};
  });
  if (removed && on_change_) on_change_();
  return removed;
}

TakeDownsPage TakeDowns::list(const TakeDownsQuery& query) {
  return transact(store_, [&](sql::Transaction& transaction) {
    TakeDownsPage page;
    page.total = static_cast<std::uint64_t>(count(transaction));
    const sql::Rows rows = transaction.execute(
        "SELECT track_id, reason, added FROM take_downs WHERE track_id > ?1 ORDER BY track_id LIMIT ?2",
        {query.after, std::int64_t{query.limit} + 1});
    for (const sql::Row& row : rows) {
      if (page.take_downs.size() == query.limit) {
        page.after = page.take_downs.back().track_id;
        break;
      }
      page.take_downs.push_back(take_down_at(row));
    }
    return page;
  });
}

std::vector<std::string> TakeDowns::track_ids() {
  return transact(store_, [&](sql::Transaction& transaction) {
    std::vector<std::string> ids;
    for (const sql::Row& row : transaction.execute("SELECT track_id FROM take_downs ORDER BY track_id")) {
      ids.push_back(text_at(row, 0));
    }
    return ids;
  });
}

std::int64_t TakeDowns::changes() {
  return transact(store_, [](sql::Transaction& transaction) { return read_changes(transaction); });
}

}  // namespace tonearm::state
