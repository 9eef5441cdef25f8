#include "memory_catalog.h"

#include <sqlite3.h>

#include <cstring>

#include "system_ports.h"

namespace tonearm::test {

std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options) {
  native::OpensslHashing hashing;
  const sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  write_snapshot(database.get(), tracks, options, hashing);
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(database.get(), "main", &size, 0), &sqlite3_free);
  if (!bytes) throw sql::Failure("the snapshot cannot be serialized");
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

ConnectSnapshot connect_to_bytes(std::shared_ptr<const std::string> bytes) {
  return [bytes = std::move(bytes)] {
    sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
    const auto size = static_cast<sqlite3_int64>(bytes->size());
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes->size() + 1));
    if (copy == nullptr) throw sql::Failure("no memory for a snapshot");
    std::memcpy(copy, bytes->data(), bytes->size());
    // SQLite frees the copy, whether it takes it or not.
    if (sqlite3_deserialize(database.get(), "main", copy, size, size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
      throw sql::Failure("the bytes are no database");
    }
    return database;
  };
}

std::shared_ptr<const Catalog> make_memory_catalog(std::span<const Track> tracks, const SnapshotOptions& options,
                                                   Catalog::Options open_options) {
  open_options.allow_evaluation = open_options.allow_evaluation || options.evaluation;
  auto bytes = std::make_shared<const std::string>(snapshot_bytes(tracks, options));
  return Catalog::open(connect_to_bytes(std::move(bytes)), open_options).value();
}

}  // namespace tonearm::test
