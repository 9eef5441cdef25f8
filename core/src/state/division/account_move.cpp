#include "state/division/account_move.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "state/accounts/account_administration.h"
#include "state/accounts/account_removal.h"
#include "state/accounts/account_rows.h"
#include "state/call_partitions.h"
#include "state/columns.h"
#include "state/division/moved_tables.h"
#include "state/transact.h"
#include "tonearm/ascii.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kRowsPerBatch = 500;
constexpr std::int64_t kStepMs = 1'000;

// ---- The row of a move

Error no_such_database(std::size_t databases) {
  return {ErrorCode::invalid_request, "database must be from 1 to " + std::to_string(databases) + ".", 0, "database"};
}

std::string random_name(Random& random) {
  std::array<std::uint8_t, 16> bytes;
  random.fill(bytes);
  return ascii::to_hex(bytes);
}

/// Takes the account out of `accounts` and `call_counters`. The transaction is serializable, so none of the account's
/// writes that began before is committed later. Does nothing if the account is not there any more.
void begin_move(sql::Store& source, const std::string& account, std::size_t target, const std::string& move_id) {
  source.transact([&](sql::Transaction& transaction) {
    const std::string counts(kCountColumns);
    transaction.execute("INSERT INTO account_moves (account, plan, created_ms, move_id, mover, target, position, " +
                            counts + ") SELECT a.account, plan, created_ms, ?3, '', ?2, '', " + counts +
                            " FROM accounts a LEFT JOIN call_counters c ON c.account = a.account WHERE a.account = ?1",
                        {account, static_cast<std::int64_t>(target), move_id});
    transaction.execute("DELETE FROM accounts WHERE account = ?1", {account});
    delete_counts(transaction, account);
  });
}

/// Returns the account's row and counts while it is moved.
sql::Row read_account_row(sql::Transaction& transaction, const std::string& account) {
  return transaction
      .execute("SELECT plan, created_ms, " + std::string(kCountColumns) + " FROM account_moves WHERE account = ?1",
               {account})
      .at(0);
}

void insert_account_row(sql::Transaction& transaction, const std::string& account, const sql::Row& row) {
  transaction.execute("INSERT INTO accounts (account, plan, created_ms) VALUES (?1, ?2, ?3)",
                      {account, row[0], row[1]});
  if (is_null_at(row, 2)) return;
  sql::Row counts{account};
  counts.insert(counts.end(), row.begin() + 2, row.end());
  transaction.execute("INSERT INTO call_counters (account, " + std::string(kCountColumns) + ") VALUES (" +
                          placeholders(1, counts.size()) + ")",
                      counts);
}

/// Returns whether the move has brought the account here. It may have been deleted since.
bool has_arrived(sql::Transaction& transaction, const std::string& account, const std::string& move_id) {
  return !transaction
              .execute("SELECT 1 FROM account_arrivals WHERE account = ?1 AND move_id = ?2 AND arrived = 1",
                       {account, move_id})
              .empty();
}

void remove_arrival(sql::Store& target, const std::string& account, const std::string& move_id) {
  target.transact([&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM account_arrivals WHERE account = ?1 AND move_id = ?2", {account, move_id});
  });
}

/// Ends a move that has brought its account to the target, and lists the rows that it left.
void end_move(sql::Store& source, sql::Store& target, const std::string& account, const std::string& move_id) {
  source.transact([&](sql::Transaction& transaction) {
    const sql::Rows ended = transaction.execute(
        "DELETE FROM account_moves WHERE account = ?1 AND move_id = ?2 RETURNING account", {account, move_id});
    if (!ended.empty()) list_as_removed(transaction, account);
  });
  remove_arrival(target, account, move_id);
}

sql::Store& target_of(const AccountStores& stores, std::size_t target) {
  if (target >= stores.size()) {
    throw sql::Failure("an account is moved to database " + std::to_string(target + 1) + ", and this server has " +
                       std::to_string(stores.size()));
  }
  return stores.at(target);
}

/// A move that has begun and was not ended.
struct OpenMove {
  AccountInfo account;
  std::size_t source = 0;
  std::size_t target = 0;
  std::string id;
};

/// Returns the open moves from a database, of all accounts or of one.
std::vector<OpenMove> open_moves(const AccountStores& stores, std::size_t source, const std::string& account = "") {
  const sql::Rows rows = transact(stores.at(source), [&](sql::Transaction& transaction) {
    return transaction.execute("SELECT " + std::string(kAccountInfoColumns) +
                                   ", target, move_id FROM account_moves a WHERE ?1 = '' OR account = ?1",
                               {account});
  });
  std::vector<OpenMove> moves;
  for (const sql::Row& row : rows) {
    moves.push_back({account_info(row), source, static_cast<std::size_t>(integer_at(row, 4)), text_at(row, 5)});
  }
  return moves;
}

bool has_arrived(const AccountStores& stores, const OpenMove& move) {
  return transact(target_of(stores, move.target), [&](sql::Transaction& transaction) {
    return has_arrived(transaction, move.account.account, move.id);
  });
}

/// Ends a move if its account has arrived. Returns whether it has.
bool end_if_arrived(AccountStores& stores, const OpenMove& move) {
  if (!has_arrived(stores, move)) return false;
  end_move(stores.at(move.source), stores.at(move.target), move.account.account, move.id);
  return true;
}

// ---- One step of a move

/// A step of a move. It names itself, as the mover, in a row of the source and in one of the target. Each of its
/// transactions changes something only while its name is there, so a step that was overtaken by another server's
/// changes nothing. The row of the target has the move's id, too, and says when the account has arrived: from then on
/// no step of this move changes the target.
class MoveStep {
 public:
  MoveStep(AccountStores& stores, std::size_t source, std::string account, std::string mover)
      : stores_(stores), source_(stores.at(source)), account_(std::move(account)), mover_(std::move(mover)) {
    take_over();
  }

  std::size_t target() const { return target_index_; }

  /// Copies for about a second. Returns whether the move is done.
  bool copy(Clock& clock) {
    const std::int64_t began_ms = clock.now_ms();
    Position position = name_at_target();
    while (clock.now_ms() - began_ms < kStepMs) {
      if (position.table.empty()) {
        if (!clear_target()) continue;
        position.table = account_tables().front().name;
        save(position);
      } else if (!copy_batch(position)) {
        finish();
        return true;
      }
    }
    save(position);
    return false;
  }

  /// Makes the account what it was before the move.
  void undo() {
    clean_target();
    source_.transact([&](sql::Transaction& transaction) {
      check_source(transaction);
      insert_account_row(transaction, account_, read_account_row(transaction, account_));
      transaction.execute("DELETE FROM account_moves WHERE account = ?1", {account_});
    });
  }

  /// Begins the move to another target.
  void change_target(std::size_t target) {
    clean_target();
    source_.transact([&](sql::Transaction& transaction) {
      check_source(transaction);
      transaction.execute("UPDATE account_moves SET target = ?2, position = '' WHERE account = ?1",
                          {account_, static_cast<std::int64_t>(target)});
    });
  }

 private:
  void take_over() {
    source_.transact([&](sql::Transaction& transaction) {
      const sql::Rows rows = transaction.execute(
          "SELECT mover, target, position, move_id FROM account_moves WHERE account = ?1", {account_});
      if (rows.empty()) throw sql::Failure("another step has ended the move of the account");
      mover_before_ = text_at(rows[0], 0);
      target_index_ = static_cast<std::size_t>(integer_at(rows[0], 1));
      position_ = read_position(text_at(rows[0], 2));
      move_id_ = text_at(rows[0], 3);
      transaction.execute("UPDATE account_moves SET mover = ?2 WHERE account = ?1", {account_, mover_});
    });
  }
  sql::Store& target_store() const { return target_of(stores_, target_index_); }

  void check_source(sql::Transaction& transaction) const {
    check_mover(transaction, "SELECT 1 FROM account_moves WHERE account = ?1 AND mover = ?2");
  }
  void check_target(sql::Transaction& transaction) const {
    check_mover(transaction, "SELECT 1 FROM account_arrivals WHERE account = ?1 AND mover = ?2");
  }
  void check_mover(sql::Transaction& transaction, std::string_view statement) const {
    if (transaction.execute(statement, {account_, mover_}).empty()) {
      throw sql::Failure("another step has taken over the move of the account");
    }
  }

  void check_not_arrived(sql::Transaction& transaction) const {
    if (has_arrived(transaction, account_, move_id_) || presence_of(transaction, account_) == Presence::present) {
      throw sql::Failure("the account has arrived at its target; repeat the request");
    }
  }

  /// Writes the step's name to the target. Returns where to continue: if anything but the step before was there, from
  /// the beginning.
  Position name_at_target() {
    const bool is_continued = transact(target_store(), [&](sql::Transaction& transaction) {
      check_not_arrived(transaction);
      const sql::Rows rows = transaction.execute(
          "SELECT mover FROM account_arrivals WHERE account = ?1 AND move_id = ?2", {account_, move_id_});
      transaction.execute(
          "INSERT INTO account_arrivals (account, move_id, mover, arrived) VALUES (?1, ?2, ?3, 0)"
          " ON CONFLICT (account) DO UPDATE SET move_id = excluded.move_id, mover = excluded.mover, arrived = 0",
          {account_, move_id_, mover_});
      return !rows.empty() && text_at(rows[0], 0) == mover_before_;
    });
    if (!is_continued) position_ = Position{};
    save(position_);
    return position_;
  }

  void save(const Position& position) {
    source_.transact([&](sql::Transaction& transaction) {
      check_source(transaction);
      transaction.execute("UPDATE account_moves SET position = ?2 WHERE account = ?1",
                          {account_, write_position(position)});
    });
  }

  /// Ends what other steps may still do at the target, and lists what was copied for removal.
  void clean_target() {
    target_store().transact([&](sql::Transaction& transaction) {
      check_not_arrived(transaction);
      transaction.execute("DELETE FROM account_arrivals WHERE account = ?1 AND move_id = ?2", {account_, move_id_});
      list_as_removed(transaction, account_);
    });
  }

  /// Removes some rows that an earlier move left at the target. Returns whether none is left.
  bool clear_target() {
    return transact(target_store(), [&](sql::Transaction& transaction) {
      check_target(transaction);
      const bool is_clear = remove_some_rows(transaction, account_);
      if (is_clear) transaction.execute("DELETE FROM removed_accounts WHERE account = ?1", {account_});
      return is_clear;
    });
  }

  /// Copies some rows and advances `position`. Returns false if nothing is left.
  bool copy_batch(Position& position) {
    const MovedTable table = table_at(position);
    const sql::Rows rows = read_rows(table, position.key);
    if (!rows.empty()) write_rows(table, rows);
    if (static_cast<std::int64_t>(rows.size()) == kRowsPerBatch) {
      position.key.assign(rows.back().begin(), rows.back().begin() + static_cast<std::ptrdiff_t>(table.keys));
    } else {
      std::optional<Position> next = position_after(position);
      if (!next) return false;
      position = *std::move(next);
    }
    if (!rows.empty()) save(position);
    return true;
  }

  sql::Rows read_rows(const MovedTable& table, const sql::Row& after) {
    const std::string keys = table.keys == 0 ? "" : first_names(table.columns, table.keys).substr(2);
    std::string statement = "SELECT " + std::string(table.columns) + " FROM " + table.name + " WHERE account = ?1";
    sql::Row parameters{account_};
    if (!after.empty()) {
      statement += " AND (" + keys + ") > (" + placeholders(2, after.size()) + ")";
      parameters.insert(parameters.end(), after.begin(), after.end());
    }
    if (!keys.empty()) statement += " ORDER BY " + keys;
    statement += " LIMIT " + std::to_string(kRowsPerBatch);
    return transact(source_, [&](sql::Transaction& transaction) {
      check_source(transaction);
      const bool is_dropped =
          table.partition && !has_partition(transaction, table.partition->kind, table.partition->day);
      return is_dropped ? sql::Rows() : transaction.execute(statement, parameters);
    });
  }

  void write_rows(const MovedTable& table, const sql::Rows& rows) {
    const std::string statement = "INSERT INTO " + table.name + " (account, " + std::string(table.columns) +
                                  ") VALUES (" + placeholders(1, rows[0].size() + 1) + ")" + on_conflict(table);
    const auto parameters = to_rows(rows, [&](const sql::Row& row) {
      sql::Row values{account_};
      values.insert(values.end(), row.begin(), row.end());
      return values;
    });
    transact_with_partitions(target_store(), [&](sql::Transaction& transaction) {
      check_target(transaction);
      if (table.partition) {
        require_partition(transaction, *table.partition);
        list_day(transaction, table.partition->day);
      }
      transaction.execute_each(statement, parameters);
    });
  }

  /// A step may copy rows again that the step before had copied.
  static std::string on_conflict(const MovedTable& table) {
    if (table.name == totals_table().name) {
      return " ON CONFLICT (account, day_began_ms) DO UPDATE SET calls = excluded.calls,"
             " succeeded = excluded.succeeded, first_party = excluded.first_party, records = excluded.records";
    }
    const std::string key =
        table.name == "creations" ? "key_sha256" : "account" + first_names(table.columns, table.keys);
    return " ON CONFLICT (" + key + ") DO NOTHING";
  }

  /// The removal of an account's rows finds its days in the daily totals, so a day is there before its rows.
  void list_day(sql::Transaction& transaction, std::int64_t day) const {
    transaction.execute(
        "INSERT INTO daily_usage (account, day_began_ms, calls, succeeded, first_party, records)"
        " VALUES (?1, ?2, 0, 0, 0, 0) ON CONFLICT (account, day_began_ms) DO NOTHING",
        {account_, day * kDayMs});
  }

  static MovedTable table_at(const Position& position) {
    for (const MovedTable& table : account_tables()) {
      if (table.name == position.table) return table;
    }
    if (position.table == totals_table().name) return totals_table();
    for (const PartitionKind kind : kPartitionKinds) {
      if (name_of(kind) != position.table) continue;
      const Partition partition{kind, position.day};
      const PartitionColumns columns = columns_of(kind);
      return MovedTable{table_of(partition), columns.names, columns.keys, partition};
    }
    throw sql::Failure("the move of the account was begun by another version of Tonearm: move it back, and again");
  }

  /// Returns where the next table begins: the tables of accounts, the partitions by day, the daily totals.
  std::optional<Position> position_after(const Position& position) {
    if (position.table == totals_table().name) return std::nullopt;
    const auto& tables = account_tables();
    for (std::size_t index = 0; index + 1 < tables.size(); ++index) {
      if (tables[index].name == position.table) return Position{tables[index + 1].name, -1, {}};
    }
    return transact(source_, [&](sql::Transaction& transaction) {
      const sql::Rows rows = transaction.execute(
          "SELECT kind, day_number FROM call_parts WHERE kind IN (?1, ?2, ?3)"
          " AND (day_number > ?4 OR (day_number = ?4 AND kind > ?5)) ORDER BY day_number, kind LIMIT 1",
          {std::string(name_of(kPartitionKinds[0])), std::string(name_of(kPartitionKinds[1])),
           std::string(name_of(kPartitionKinds[2])), position.day, position.table});
      if (rows.empty()) return Position{totals_table().name, -1, {}};
      return Position{text_at(rows[0], 0), integer_at(rows[0], 1), {}};
    });
  }

  /// From here on the account is at the target.
  void finish() {
    const sql::Row row = transact(source_, [&](sql::Transaction& transaction) {
      check_source(transaction);
      return read_account_row(transaction, account_);
    });
    target_store().transact([&](sql::Transaction& transaction) {
      check_target(transaction);
      insert_account_row(transaction, account_, row);
      transaction.execute("UPDATE account_arrivals SET arrived = 1 WHERE account = ?1", {account_});
    });
    end_move(source_, target_store(), account_, move_id_);
  }

  AccountStores& stores_;
  sql::Store& source_;
  std::string account_;
  std::string mover_;
  std::string mover_before_;
  std::string move_id_;
  std::size_t target_index_ = 0;
  Position position_;
};

/// The databases that an account is in, and is moved from.
struct FoundIn {
  std::optional<std::size_t> present;
  std::optional<std::size_t> moving;
};

sql::Failure found_twice() { return sql::Failure("the account was found in two databases; repeat the request"); }

void note_once(std::optional<std::size_t>& place, std::size_t index) {
  if (place) throw found_twice();
  place = index;
}

/// Throws sql::Failure if a database does not answer: a move of the account may have ended only in part.
FoundIn find_databases(AccountStores& stores, const std::string& account) {
  FoundIn found;
  // An account may be moved behind a first look to a database that was already looked at.
  for (int looks = 0; looks < 2 && !found.present && !found.moving; ++looks) {
    for (std::size_t index = 0; index < stores.size(); ++index) {
      const Presence presence =
          transact(stores.at(index), [&](sql::Transaction& transaction) { return presence_of(transaction, account); });
      if (presence == Presence::present) note_once(found.present, index);
      if (presence == Presence::moving) note_once(found.moving, index);
    }
  }
  return found;
}

bool is_open(const AccountStores& stores, const std::string& account, const std::string& move_id) {
  for (std::size_t source = 0; source < stores.size(); ++source) {
    for (const OpenMove& move : open_moves(stores, source, account)) {
      if (move.id == move_id) return true;
    }
  }
  return false;
}

/// Removes what a step left that was interrupted after it had ended its move, or that named itself at the target after
/// another step had ended the move. A move that was ended never opens again.
void remove_ended_arrivals(AccountStores& stores) {
  for (std::size_t index = 0; index < stores.size(); ++index) {
    const sql::Rows arrivals = transact(stores.at(index), [](sql::Transaction& transaction) {
      return transaction.execute("SELECT account, move_id FROM account_arrivals");
    });
    for (const sql::Row& row : arrivals) {
      const std::string& account = text_at(row, 0);
      const std::string& move_id = text_at(row, 1);
      if (!is_open(stores, account, move_id)) remove_arrival(stores.at(index), account, move_id);
    }
  }
}

}  // namespace

std::vector<AccountInfo> accounts_being_moved(AccountStores& stores) {
  std::vector<AccountInfo> accounts;
  for (std::size_t source = 0; source < stores.size(); ++source) {
    for (OpenMove& move : open_moves(stores, source)) {
      if (!has_arrived(stores, move)) accounts.push_back(std::move(move.account));
    }
  }
  return accounts;
}

bool end_finished_moves(AccountStores& stores) {
  bool found = false;
  std::exception_ptr failure;
  for (std::size_t source = 0; source < stores.size(); ++source) {
    try {
      for (const OpenMove& move : open_moves(stores, source)) found = end_if_arrived(stores, move) || found;
    } catch (const sql::Failure&) {
      failure = std::current_exception();  // the moves from other databases may have other targets
    }
  }
  if (failure) std::rethrow_exception(failure);
  remove_ended_arrivals(stores);
  return found;
}

Result<AccountMove> run_move_step(AccountStores& stores, const MovePorts& ports, const std::string& account,
                                  std::size_t database) {
  if (database < 1 || database > stores.size()) return no_such_database(stores.size());
  const std::size_t target = database - 1;
  const FoundIn at = find_databases(stores, account);
  AccountMove move{account, database, false};
  // A step that was interrupted at its end is completed first; the next request does the rest.
  if (at.moving) {
    for (const OpenMove& open : open_moves(stores, *at.moving, account)) {
      if (end_if_arrived(stores, open)) return move;
    }
  }
  if (at.present && at.moving) throw found_twice();
  if (at.present && *at.present == target) {
    move.is_done = true;
  } else if (at.present) {
    begin_move(stores.at(*at.present), account, target, random_name(ports.random));
  } else if (at.moving) {
    MoveStep step(stores, *at.moving, account, random_name(ports.random));
    if (*at.moving == target) {
      step.undo();
      move.is_done = true;
    } else if (step.target() != target) {
      step.change_target(target);
    } else {
      move.is_done = step.copy(ports.clock);
    }
  } else {
    return account_not_found();
  }
  return move;
}

}  // namespace tonearm::state
