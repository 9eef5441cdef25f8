#include "snapshot_surgery.h"

#include <sqlite3.h>

#include "catalog/storage/content_hash.h"
#include "catalog/writer/section_writer.h"
#include "memory_catalog.h"
#include "system/system_ports.h"

namespace tonearm::test {
namespace {

class Appended final : public SnapshotOutput {
 public:
  explicit Appended(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string read(std::uint64_t offset, std::uint64_t size) override { return bytes_.substr(offset, size); }
  void append(std::string_view bytes) override { bytes_ += bytes; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

std::string assembled(const std::string& bytes, std::string database, const Sha256& tables,
                      const ChangeSection& change) {
  native::OpensslHashing hashing;
  const auto snapshot = snapshot_of_bytes(bytes);
  const catalog::Sections sections(snapshot->file());
  const std::uint64_t size = database.size();
  Appended output(std::move(database));
  catalog::SectionWriter writer(output, hashing, size);
  for (std::size_t i = 0; i < catalog::kSectionCount; ++i) {
    const auto id = static_cast<catalog::SectionId>(i);
    std::string data(sections[id].all());
    if (change) change(id, data);
    writer.begin(id);
    writer.append(data);
  }
  writer.finish(tables, sections.license_root());
  return output.take();
}

}  // namespace

std::string modified_snapshot(const std::string& bytes, const std::string& sql, const ChangeSection& change) {
  const auto before = static_cast<std::size_t>(database_size(bytes));
  const sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(before));
  std::copy_n(bytes.begin(), before, copy);
  const auto size = static_cast<sqlite3_int64>(before);
  if (sqlite3_deserialize(database.get(), "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK) {
    throw Failure("the bytes are no database");
  }
  sql::execute(database.get(), sql);
  native::OpensslHashing hashing;
  const Sha256 tables = catalog::hash_tables(database.get(), hashing);
  sqlite3_int64 after = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> changed(
      sqlite3_serialize(database.get(), "main", &after, 0), &sqlite3_free);
  return assembled(bytes, {reinterpret_cast<const char*>(changed.get()), static_cast<std::size_t>(after)}, tables,
                   change);
}

std::string with_database(const std::string& bytes, std::string database, const ChangeSection& change) {
  native::OpensslHashing hashing;
  const Sha256 tables = catalog::hash_tables(snapshot_of_bytes(bytes)->connect().get(), hashing);
  return assembled(bytes, std::move(database), tables, change);
}

}  // namespace tonearm::test
