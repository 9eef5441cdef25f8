#include "people/share_store.h"

#include "people/people_store.h"

namespace tonearm::web {
namespace {

void ensure_share(sql::Transaction& transaction, const std::string& key, const std::string& collection) {
  transaction.execute(
      "INSERT INTO site_shares (name_key, collection, description, token) VALUES (?1, ?2, '', '')"
      " ON CONFLICT (name_key, collection) DO NOTHING",
      {key, collection});
}

}  // namespace

Share ShareStore::find(std::string_view name, const std::string& collection) {
  Share share;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows =
        transaction.execute("SELECT description, token FROM site_shares WHERE name_key = ?1 AND collection = ?2",
                            {name_key(name), collection});
    share = rows.empty() ? Share{} : Share{std::get<std::string>(rows[0][0]), std::get<std::string>(rows[0][1])};
  });
  return share;
}

void ShareStore::set_description(std::string_view name, const std::string& collection, const std::string& description) {
  store_.transact([&](sql::Transaction& transaction) {
    ensure_share(transaction, name_key(name), collection);
    transaction.execute("UPDATE site_shares SET description = ?3 WHERE name_key = ?1 AND collection = ?2",
                        {name_key(name), collection, description});
  });
}

void ShareStore::create_link(std::string_view name, const std::string& collection, const std::string& token) {
  store_.transact([&](sql::Transaction& transaction) {
    ensure_share(transaction, name_key(name), collection);
    transaction.execute("UPDATE site_shares SET token = ?3 WHERE name_key = ?1 AND collection = ?2 AND token = ''",
                        {name_key(name), collection, token});
  });
}

void ShareStore::remove_link(std::string_view name, const std::string& collection) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("UPDATE site_shares SET token = '' WHERE name_key = ?1 AND collection = ?2",
                        {name_key(name), collection});
  });
}

void ShareStore::remove(std::string_view name, const std::string& collection) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM site_shares WHERE name_key = ?1 AND collection = ?2",
                        {name_key(name), collection});
  });
}

std::optional<SharedCollection> ShareStore::find_link(const std::string& token) {
  std::optional<SharedCollection> found;
  store_.transact([&](sql::Transaction& transaction) {
    found.reset();
    const auto rows = transaction.execute(
        "SELECT people.name, people.account, shares.collection, shares.description"
        " FROM site_shares shares JOIN site_people people ON people.name_key = shares.name_key"
        " WHERE shares.token = ?1 AND shares.token <> '' AND people.is_leaving = 0",
        {token});
    if (rows.empty()) return;
    const auto text = [&](std::size_t column) { return std::get<std::string>(rows[0][column]); };
    found = SharedCollection{text(0), text(1), text(2), text(3)};
  });
  return found;
}

}  // namespace tonearm::web
