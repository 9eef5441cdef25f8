#include "state/accounts/account_transfer.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "account_fixture.h"
#include "api/answers/state_lines.h"
#include "collection_model.h"
#include "collection_samples.h"
#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/collections/collection_transfer.h"
#include "state/collections/collections.h"
#include "tonearm/ascii.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

namespace {

using Lines = std::vector<std::string>;

struct TransferFixture : AccountFixture {
  using AccountFixture::AccountFixture;

  /// A temporary key for writing (KEY-13), which is not exported.
  struct WriterKey {
    WriterKey(TransferFixture& of, const std::string& account) : fixture(of), writer{account, "key_writer"} {
      fixture.store.transact([&](sql::Transaction& transaction) {
        insert_key(transaction, account, {{writer.key_id, false, fixture.clock.now_ms(), {}, {}}, {}});
      });
    }
    ~WriterKey() {
      fixture.store.transact([&](sql::Transaction& transaction) {
        transaction.execute("DELETE FROM api_keys WHERE account = ?1 AND key_id = ?2", {writer.account, writer.key_id});
      });
    }
    WriterKey(const WriterKey&) = delete;
    WriterKey& operator=(const WriterKey&) = delete;

    TransferFixture& fixture;
    Writer writer;
  };

  Collection made(const std::string& account, const std::string& name, std::size_t tracks) {
    const WriterKey key(*this, account);
    const auto created = collections.create(key.writer, {name, false}).value();
    std::vector<TrackToAdd> wanted = tracks_to_add(0, tracks);
    if (!wanted.empty()) wanted.front().record->credit_as = "Ada E. Example";
    if (!wanted.empty()) wanted.front().receipt = R"({"format":"tonearm-license-receipt"})";
    const auto adding = [&](const Collection& collection, const Edit& edit) -> Result<Collection> {
      auto added = with_tracks(collection, edit, wanted);
      if (!added) return added.error();
      return std::move(added->collection);
    };
    return collections.change(key.writer, created.value.id, {}, adding).value().value;
  }
  void rename(const std::string& account, const std::string& id, const std::string& name) {
    const auto renaming = [&](const Collection& collection, const Edit& edit) {
      return with_settings(collection, edit, {name, {}}, {});
    };
    const WriterKey key(*this, account);
    REQUIRE(collections.change(key.writer, id, {}, renaming).has_value());
  }

  /// Exports in small pieces, as a program does.
  Lines collection_lines(const std::string& account, std::size_t bytes_max = 1'000'000) {
    Lines lines;
    std::string after;
    do {
      const auto piece = export_collections(store, account, after, bytes_max);
      REQUIRE(piece.has_value());
      const Lines some = api::write_lines(*piece);
      lines.insert(lines.end(), some.begin(), some.end());
      after = piece->next;
    } while (!after.empty());
    return lines;
  }
  Lines key_lines(const std::string& account) { return api::write_lines(accounts->export_keys(account, {}).value()); }
  Lines all_lines(const std::string& account) {
    Lines lines = key_lines(account);
    const Lines more = collection_lines(account);
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
  }

  Result<std::size_t> import_keys(const std::string& account, const Lines& lines, ImportMode mode = ImportMode::write) {
    const auto wanted = api::read_keys(lines, account);
    if (!wanted) return wanted.error();
    return accounts->import_keys(*wanted, mode);
  }
  Result<std::size_t> import_lines(const std::string& account, const Lines& lines,
                                   ImportMode mode = ImportMode::write) {
    const auto wanted = api::read_collections(lines);
    if (!wanted) return wanted.error();
    return import_collections(store, account, *wanted, mode);
  }
  /// Imports in pieces of a few lines, each of which starts with its collection.
  std::size_t import_in_pieces(const std::string& account, const Lines& lines, std::size_t lines_max) {
    std::size_t added = 0;
    Lines piece;
    std::string collection;
    for (const std::string& line : lines) {
      const bool is_item = line.starts_with(R"({"type":"item")");
      if (!is_item) collection = line;
      if (piece.size() >= lines_max) {
        added += import_lines(account, std::exchange(piece, {})).value();
        if (is_item) piece.push_back(collection);
      }
      piece.push_back(line);
    }
    if (!piece.empty()) added += import_lines(account, piece).value();
    return added;
  }
  /// Imports the account alone, then its collections, then its keys.
  void import_all(const std::string& account, TransferFixture& from) {
    const Lines keys = from.key_lines(account);
    CHECK(import_keys(account, {keys[0]}).value() == 1);
    import_in_pieces(account, from.collection_lines(account, 700), 1 + random.below(9));
    CHECK(import_keys(account, keys).value() == keys.size() - 1);
  }

  Collections collections{{clock, random, store}};
};

/// Returns `text` with `from` replaced by `to`. REQUIRES: `text` contains `from`.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in " << text);
  return text.replace(at, from.size(), to);
}

void refuses(const Result<std::size_t>& outcome, const std::string& part) {
  REQUIRE(outcome.has_error());
  CHECK(outcome.error().code == ErrorCode::invalid_request);
  CAPTURE(outcome.error().message);
  CHECK(outcome.error().message.find(part) != std::string::npos);
}

}  // namespace

// MOVE-1, MOVE-4
TEST_CASE("a moved account is exported as before, and its keys stay valid") {
  TransferFixture source(":memory:", "the secret");
  TransferFixture target(":memory:", "the secret");
  const std::string account = source.new_account(Plan::pro);
  const std::string key = source.new_key(account);
  const std::string revoked = source.new_key(account);
  const auto keys = source.accounts->list_keys(account).value();
  const auto session = source.accounts->create_session_key(account, 600).value();
  for (const std::string name : {"Rain", "Sun", "Snow"}) source.made(account, name, 7);
  source.clock.advance_ms(5'000);
  const auto id_of_key = [&](const std::string& which) {
    const std::string hash = ascii::to_hex(source.hashing.sha256(which));
    return std::get<std::string>(source.value("SELECT key_id FROM api_keys WHERE key_sha256 = '" + hash + "'"));
  };
  REQUIRE(source.accounts->revoke_key(id_of_key(revoked)).has_value());

  target.import_all(account, source);
  CHECK(target.all_lines(account) == source.all_lines(account));
  for (const auto& summary : target.collections.list(account)) {
    CHECK(target.collections.receipts(account, summary.id).value() ==
          std::vector<std::string>{R"({"format":"tonearm-license-receipt"})"});
  }
  using enum Admission::Outcome;
  CHECK(target.outcome(key) == admitted);
  CHECK(target.outcome(session.key) == admitted);
  CHECK(target.outcome(revoked) == invalid_key);
  std::vector<std::string> names;
  for (const auto& summary : target.collections.list(account)) names.push_back(summary.name);
  CHECK(names == std::vector<std::string>{"Snow", "Sun", "Rain"});
  // A later change makes its collection the most recently changed one.
  target.rename(account, target.collections.list(account)[2].id, "Rain again");
  CHECK(target.collections.list(account)[0].name == "Rain again");
}

// MOVE-4, MOVE-6
TEST_CASE("random states are equal after a move, and moving them again changes nothing") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    TransferFixture source;
    TransferFixture target;
    drive_collections(source.store, source.clock, seed, 400);
    std::size_t lines = 0;
    for (const auto& info : source.accounts->list_accounts({}).accounts) {
      // The driver's ids cannot belong to keys, so the rows are inserted directly.
      target.store.transact([&](sql::Transaction& transaction) {
        transaction.execute(
            "INSERT INTO accounts (account, plan, created_ms) VALUES (?1, ?2, ?3)",
            {info.account, std::string(kPlanNames[static_cast<std::size_t>(info.plan)]), info.created_ms});
      });
      const Lines there = source.collection_lines(info.account, 900);
      lines += there.size();
      CHECK(target.import_in_pieces(info.account, there, 1 + seed) == there.size());
      CHECK(target.collection_lines(info.account) == there);
      CHECK(target.import_in_pieces(info.account, there, 4) == 0);
      CHECK(target.collection_lines(info.account, 1) == there);
    }
    CHECK(lines > 10);
  }
}

// MOVE-6
TEST_CASE("an import that was interrupted has the same result when it is restarted") {
  TransferFixture source;
  TransferFixture target;
  const std::string account = source.new_account(Plan::pro);
  source.made(account, "Rain", 20);
  source.made(account, "Sun", 20);
  const Lines there = source.collection_lines(account);
  for (std::size_t stop = 1; stop <= there.size(); stop += 3) {
    CAPTURE(stop);
    TransferFixture half;
    REQUIRE(half.import_keys(account, source.key_lines(account)).has_value());
    half.import_in_pieces(account, Lines(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(stop)), 5);
    CHECK(half.import_in_pieces(account, there, 6) == there.size() - stop);
    CHECK(half.collection_lines(account) == there);
  }
}

// MOVE-6
TEST_CASE("a check counts the new rows and writes nothing") {
  TransferFixture source;
  TransferFixture target;
  const std::string account = source.new_account();
  source.new_key(account);
  source.made(account, "Rain", 3);
  const Lines keys = source.key_lines(account);
  const Lines collections = source.collection_lines(account);
  CHECK(target.import_keys(account, keys, ImportMode::check).value() == 2);
  CHECK(target.import_lines(account, collections, ImportMode::check).value() == 4);
  // The earlier pieces were only checked, too.
  CHECK(target.import_lines(account, {collections[0], collections[3]}, ImportMode::check).value() == 2);
  refuses(target.import_lines(account, {collections[0], collections[1], collections[3]}, ImportMode::check),
          "does not follow");
  CHECK(target.number("SELECT COUNT(*) FROM accounts") == 0);
  CHECK(target.number("SELECT COUNT(*) FROM collection_items") == 0);
  const auto refused = target.import_lines(account, collections);
  REQUIRE(refused.has_error());
  CHECK(refused.error().code == ErrorCode::not_found);
}

// MOVE-7
TEST_CASE("the error names the row that differs, and nothing is changed") {
  TransferFixture source;
  TransferFixture target;
  const std::string account = source.new_account(Plan::pro);
  source.new_key(account);
  const Collection rain = source.made(account, "Rain", 4);
  const Collection sun = source.made(account, "Sun", 2);
  target.import_all(account, source);
  const Lines keys = source.key_lines(account);
  const Lines there = source.collection_lines(account);

  SUBCASE("a collection that was changed since") {
    target.rename(account, rain.id, "Drizzle");
    const Lines before = target.all_lines(account);
    refuses(target.import_lines(account, there), rain.id);
    CHECK(target.all_lines(account) == before);
  }
  SUBCASE("another name, track, order or number under the same revision") {
    const std::size_t at = there[0].find(rain.id) != std::string::npos ? 0 : 3;
    Lines other = there;
    other[at] = replaced(there[at], "Rain", "Pain");
    refuses(target.import_lines(account, other), rain.id);
    other = there;
    other[at + 2] = replaced(there[at + 2], "Title of", "Little of");
    refuses(target.import_lines(account, other), "t-1");
    other = there;
    other[at + 1] = replaced(there[at + 1], R"("position":0)", R"("position":1)");
    other[at + 2] = replaced(there[at + 2], R"("position":1)", R"("position":0)");
    refuses(target.import_lines(account, other), rain.id);
    other = there;
    other[at] = replaced(there[at], R"("track_count":4)", R"("track_count":5)");
    refuses(target.import_lines(account, other), rain.id);
    other = {replaced(there[at], rain.id, "col_aaaaaaaaaaaaaaaaaaaaaaaaaa")};
    refuses(target.import_lines(account, other), "order of changes");
    CHECK(target.collection_lines(account) == there);
  }
  SUBCASE("an account of another plan, a key that was revoked") {
    refuses(target.import_keys(account, {replaced(keys[0], "pro", "free")}), account);
    const auto key = target.accounts->list_keys(account).value().at(0).key_id;
    REQUIRE(target.accounts->revoke_key(key).has_value());
    const Lines before = target.key_lines(account);
    refuses(target.import_keys(account, keys), key);
    CHECK(target.key_lines(account) == before);
  }
  SUBCASE("a sixth active key") {
    const std::string later = source.new_key(account);
    for (int i = 0; i < 4; ++i) target.new_key(account);
    refuses(target.import_keys(account, source.key_lines(account)), "more than 5 active keys");
    CHECK(target.outcome(later) == Admission::Outcome::invalid_key);
  }
  SUBCASE("all of a piece or nothing") {
    const Collection snow = source.made(account, "Snow", 3);
    Lines all = source.collection_lines(account);
    for (auto& line : all) {
      if (line.find(sun.id) != std::string::npos) line = replaced(line, "Sun", "Son");
    }
    refuses(target.import_lines(account, all), sun.id);
    CHECK(target.collection_lines(account) == there);
  }
}

TEST_CASE("an account whose rows are still being removed is rejected") {
  TransferFixture source;
  TransferFixture target;
  const std::string account = source.new_account(Plan::pro);
  for (int i = 0; i < 2; ++i) source.made(account, "Rain", 260);  // more rows than one step removes
  const Lines keys = source.key_lines(account);
  const auto import_again = [&] {
    CHECK(target.import_keys(account, keys).value() == 1);
    target.import_in_pieces(account, source.collection_lines(account), 150);
  };
  import_again();
  REQUIRE(target.accounts->delete_account(account).has_value());
  refuses(target.import_keys(account, keys), "still being removed");
  while (target.retain_step()) continue;
  import_again();
  CHECK(target.all_lines(account) == source.all_lines(account));
}

// MOVE-7
TEST_CASE("a line that breaks a rule is rejected with its number") {
  TransferFixture source;
  const std::string account = source.new_account(Plan::pro);
  source.new_key(account);
  source.made(account, "Rain", 2);
  const Lines keys = source.key_lines(account);
  const Lines there = source.collection_lines(account);
  struct Row {
    std::size_t line;
    std::string from;
    std::string to;
    std::string part;
  };
  const Row rows[] = {
      {0, R"("revision":)", R"("revision":-)", "Line 1 of the request: revision must be"},
      {0, R"("id":"col_)", R"("id":"kol_)", "id must be col_"},
      {0, R"("name":"Rain")", R"("name":" ")", "name must be"},
      {0, R"("commercial":)", R"("comercial":)", "is not known here"},
      {1, R"("type":"item")", R"("type":"tune")", "Line 2 of the request: type must be one of item"},
      {1, R"("attribution":"required")", R"("attribution":"wanted")", "attribution must be one of"},
      {1, R"("title":"Title)", R"("title":"\u0000)", "U+0000"},
      {1, R"("added_s":)", R"("added_s":999999999999)", "added_s must be"},
      {2, R"("position":1)", R"("position":0)", "is another one here, or at another position"},
      {2, R"("position":1)", R"("position":500)", "position must be"},
      {2, "}", "", "Line 3 of the request: The line is not one JSON object"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.to);
    Lines other = there;
    other[row.line] = replaced(there[row.line], row.from, row.to);
    TransferFixture target;
    REQUIRE(target.import_keys(account, keys).has_value());
    const auto first = target.import_lines(account, {there[0], there[1]});
    REQUIRE(first.has_value());
    refuses(target.import_lines(account, other), row.part);
    CHECK(target.collection_lines(account).size() == 2);
  }
  TransferFixture target;
  refuses(target.import_lines(account, {there[1]}), "The first line must be that of a collection");
  refuses(target.import_keys(account, {keys[1]}), "The first line must be that of an account");
  refuses(target.import_keys("acc_aaaaaaaaaaaaa", keys), "account of another path");
  refuses(target.import_keys(account, {keys[0], replaced(keys[1], R"("key_id":"key_)", R"("key_id":"ses_)")}),
          "session must be true");
  refuses(target.import_keys(account, {keys[0], replaced(keys[1], R"("sha256":")", R"("sha256":"G)")}), "sha256");
  CHECK(target.number("SELECT COUNT(*) FROM accounts") == 0);
}

// MOVE-5
TEST_CASE("expired session keys are not exported, and many keys are exported in pieces") {
  TransferFixture source;
  const std::string account = source.new_account();
  REQUIRE(source.accounts->create_session_key(account, 5).has_value());
  source.clock.advance_ms(6'000);
  CHECK(source.key_lines(account).size() == 1);
  for (int i = 0; i < 501; ++i) REQUIRE(source.accounts->create_session_key(account, 600).has_value());
  const auto first = source.accounts->export_keys(account, {}).value();
  CHECK(first.keys.size() == 500);
  const auto second = source.accounts->export_keys(account, first.next).value();
  CHECK(second.keys.size() == 1);
  CHECK(second.next.empty());
  CHECK(source.accounts->export_keys("acc_aaaaaaaaaaaaa", {}).error().code == ErrorCode::not_found);
  CHECK_FALSE(export_collections(source.store, "acc_aaaaaaaaaaaaa", {}, 1).has_value());
}

// MOVE-3
TEST_CASE("the key secret is shown only if it was made in the state") {
  TransferFixture own;
  TransferFixture given(":memory:", "the operator's");
  const auto made = own.accounts->key_secret();
  CHECK(made.made_in_state.size() == 64);
  CHECK(made.sha256 == own.hashing.sha256(made.made_in_state));
  CHECK(given.accounts->key_secret().made_in_state.empty());
  CHECK(given.accounts->key_secret().sha256 == given.hashing.sha256("the operator's"));
}

// MOVE-8
TEST_CASE("counters and call records are not moved") {
  TransferFixture source(":memory:", "the secret");
  TransferFixture target(":memory:", "the secret");
  const std::string account = source.new_account();
  const std::string key = source.new_key(account);
  CHECK(source.admitted_of(21, key) == 20);
  source.accounts->record(source.call_of(account));
  source.accounts->flush();
  target.import_all(account, source);
  CHECK(target.accounts->calls(account, 10).value().empty());
  CHECK(target.accounts->usage(account).value().empty());
  CHECK(target.admitted_of(21, key) == 20);
}
