// Searches a snapshot: find_a_track catalog.sqlite WORDS. Prints the totals of all tracks and of those that hold all
// words, and each track as a line of JSON.

#include <tonearm/catalog.h>
#include <tonearm/sqlite_snapshot.h>
#include <fstream>
#include <iostream>
#include <iterator>

class SnapshotInMemory final : public tonearm::SnapshotFile, public tonearm::SqliteSnapshot {
 public:
  explicit SnapshotInMemory(std::string bytes) : bytes_(std::move(bytes)) {}
  const SnapshotFile& file() const override { return *this; }
  std::uint64_t size() const override { return bytes_.size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override {
    return {bytes_.data() + offset, size};
  }
  tonearm::sql::SqliteHandle connect() const override {
    return tonearm::sql::open_sqlite_image({bytes_.data(), tonearm::database_size(bytes_)});
  }

 private:
  std::string bytes_;
};

int main(int count, char** words) {
  if (count != 3) return 2;
  std::ifstream input(words[1], std::ios::binary);
  const auto snapshot = std::make_shared<SnapshotInMemory>(std::string(std::istreambuf_iterator<char>(input), {}));
  const auto catalog = tonearm::Catalog::open(snapshot, {});
  if (!catalog) return std::cerr << catalog.error().message << "\n", 1;
  tonearm::SearchQuery query;
  query.q = words[2];
  const tonearm::Page page = (*catalog)->search(query);
  const bool has_all_words = !page.matched.empty() && page.matched.front().words == page.words;
  std::cout << page.total << " " << (has_all_words ? page.matched.front().total : 0) << "\n";
  for (const auto& track : (*catalog)->render(page.tracks)) std::cout << track.json << "\n";
}
