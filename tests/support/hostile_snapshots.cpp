#include "hostile_snapshots.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "catalog/index/spellings.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "tonearm/sqlite.h"

namespace tonearm::test {
namespace {

using catalog::SectionId;

constexpr std::size_t kPageBytes = 16'384;
/// SQLite itself follows pages down to a depth of 20.
constexpr int kLevels = 18;

// https://www.sqlite.org/fileformat2.html, 1.6
enum class PageType : unsigned char { index_interior = 2, table_interior = 5, index_leaf = 10, table_leaf = 13 };
constexpr std::size_t kFileHeaderBytes = 100;
constexpr std::size_t kLeafHeaderBytes = 8;
constexpr std::size_t kInteriorHeaderBytes = 12;

/// Control characters that clear a terminal, end a line or reverse text: C0, C1, DEL and Unicode.
constexpr std::string_view kSteering =
    "\x1b[2J\r\n\xc2\x9b"
    "31m\x7f\xe2\x80\xae"
    "evil\xe2\x81\xa6\xe2\x80\xa8";

std::string big_endian(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xffU);
  return out;
}

std::string varint(std::uint64_t number) {
  std::string out(1, static_cast<char>(number & 0x7fU));
  while ((number >>= 7U) != 0) out.insert(out.begin(), static_cast<char>((number & 0x7fU) | 0x80U));
  return out;
}

struct Column {
  std::string text;
  bool is_number = false;  // then 1
};

/// Encodes a row as a cell stores it. https://www.sqlite.org/fileformat2.html, 2.1
std::string record(const std::vector<Column>& columns) {
  std::string types;
  std::string values;
  for (const auto& [text, is_number] : columns) {
    types += varint(is_number ? 1 : 13 + 2 * text.size());
    values += is_number ? std::string(1, '\1') : text;
  }
  return varint(types.size() + 1) + types + values;
}

/// The pages of a snapshot's database.
class Pages {
 public:
  explicit Pages(const std::string& sound) : image_(sound.substr(0, database_size(sound))) {
    if (read(16, 2) != kPageBytes) throw std::logic_error("the pages of the database have another size");
    const auto database = sql::open_sqlite_image(image_);
    sql::Statement select(database.get(), "SELECT name, rootpage FROM sqlite_schema");
    while (select.step()) roots_.emplace_back(select.text(0), static_cast<std::uint32_t>(select.integer(1)));
  }

  std::uint32_t root_of(std::string_view table) const {
    for (const auto& [name, page] : roots_) {
      if (name == table) return page;
    }
    throw std::logic_error("there is no table " + std::string(table));
  }
  std::string page(std::uint32_t number) const { return image_.substr((number - 1) * kPageBytes, kPageBytes); }
  std::uint32_t add(std::string page) {
    page.resize(kPageBytes);
    image_ += page;
    const auto count = static_cast<std::uint32_t>(image_.size() / kPageBytes);
    put(28, big_endian(count, 4));
    return count;
  }
  void put(std::size_t at, const std::string& bytes) { image_.replace(at, bytes.size(), bytes); }
  void put_page(std::uint32_t number, std::string page) {
    page.resize(kPageBytes);
    // The first page keeps the header of the file.
    const std::size_t from = number == 1 ? kFileHeaderBytes : 0;
    put((number - 1) * kPageBytes + from, page.substr(from));
  }
  std::size_t count() const { return image_.size() / kPageBytes; }
  std::string take() { return std::move(image_); }

 private:
  std::uint64_t read(std::size_t at, std::size_t bytes) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < bytes; ++i) number = number << 8U | static_cast<unsigned char>(image_[at + i]);
    return number;
  }

  std::string image_;
  std::vector<std::pair<std::string, std::uint32_t>> roots_;
};

/// Fills a page with copies of a cell. `header`: the offset of its header.
std::string page_of(PageType type, const std::string& cell, std::uint32_t right_child, std::size_t header = 0,
                    std::size_t cells_max = ~std::size_t{0}) {
  const bool is_interior = type == PageType::index_interior || type == PageType::table_interior;
  const std::size_t first = header + (is_interior ? kInteriorHeaderBytes : kLeafHeaderBytes);
  const std::size_t cells = std::min(cells_max, (kPageBytes - first) / (cell.size() + 2));
  std::string page(kPageBytes, '\0');
  const auto put = [&](std::size_t at, const std::string& bytes) { page.replace(at, bytes.size(), bytes); };
  const std::size_t content = kPageBytes - cells * cell.size();
  put(header, std::string(1, static_cast<char>(type)) + big_endian(0, 2) + big_endian(cells, 2) +
                  big_endian(content, 2) + std::string(1, '\0'));
  if (is_interior) put(header + kLeafHeaderBytes, big_endian(right_child, 4));
  for (std::size_t i = 0; i < cells; ++i) {
    put(first + 2 * i, big_endian(content + i * cell.size(), 2));
    put(content + i * cell.size(), cell);
  }
  return page;
}

/// Makes an interior page whose children are all `child`.
std::string fan(PageType type, std::uint32_t child, const std::string& row, std::size_t header = 0) {
  const std::string key = type == PageType::table_interior ? varint(1) : varint(row.size()) + row;
  return page_of(type, big_endian(child, 4) + key, child, header);
}

/// Makes a table in which every interior page has a thousand children, all the same page of the next level.
void fan_out(Pages& pages, std::string_view table, const std::vector<Column>& row) {
  const std::string bytes = record(row);
  std::uint32_t child = pages.add(page_of(PageType::index_leaf, varint(bytes.size()) + bytes, 0));
  for (int level = 0; level < kLevels - 1; ++level) child = pages.add(fan(PageType::index_interior, child, bytes));
  pages.put_page(pages.root_of(table), fan(PageType::index_interior, child, bytes));
}

void fan_out_schema(Pages& pages) {
  // The old first page with its header moved to the start, as in other pages; its cells do not move.
  std::string leaf = pages.page(1);
  const auto cells = static_cast<unsigned char>(leaf[kFileHeaderBytes + 3]) * 256U +
                     static_cast<unsigned char>(leaf[kFileHeaderBytes + 4]);
  const std::string head = leaf.substr(kFileHeaderBytes, kLeafHeaderBytes + 2 * cells);
  leaf.replace(0, kFileHeaderBytes + head.size(), kFileHeaderBytes + head.size(), '\0');
  leaf.replace(0, head.size(), head);
  std::uint32_t child = pages.add(leaf);
  for (int level = 0; level < kLevels - 1; ++level) child = pages.add(fan(PageType::table_interior, child, {}));
  pages.put_page(1, fan(PageType::table_interior, child, {}, kFileHeaderBytes));
}

/// Adds a row whose value continues in an overflow page that points to itself.
void chain_overflow(Pages& pages, std::string_view table) {
  const std::uint32_t overflow = pages.add(std::string(kPageBytes, 'y'));
  pages.put((overflow - 1) * kPageBytes, big_endian(overflow, 4));
  const std::uint64_t payload = pages.count() * kPageBytes;
  constexpr std::uint64_t kUsable = kPageBytes;
  constexpr std::uint64_t kLeast = (kUsable - 12) * 32 / 255 - 23;
  constexpr std::uint64_t kMost = (kUsable - 12) * 64 / 255 - 23;
  const std::uint64_t fits = kLeast + (payload - kLeast) % (kUsable - 4);
  const std::uint64_t local = fits <= kMost ? fits : kLeast;
  const std::string types = varint(13 + 2 * 1) + varint(13 + 2 * (payload - 8));
  std::string cell = varint(payload) + varint(types.size() + 1) + types + "x";
  cell.resize(varint(payload).size() + local, 'y');
  cell += big_endian(overflow, 4);
  pages.put_page(pages.root_of(table), page_of(PageType::index_leaf, cell, 0, 0, 1));
}

void loop_free_pages(Pages& pages) {
  const std::uint32_t trunk = pages.add({});
  pages.put((trunk - 1) * kPageBytes, big_endian(trunk, 4) + big_endian(0xffff'ffffU, 4));
  pages.put(32, big_endian(trunk, 4) + big_endian(0xffff'ffffU, 4));
}

/// The structure record of FTS5 with missing or endlessly repeated segments. https://www.sqlite.org/fts5.html does not
/// document it; fts5_index.c does.
std::string structure(std::uint64_t segments, std::uint64_t last_page) {
  std::string record = big_endian(0, 4) + varint(1) + varint(segments) + varint(segments);
  record += varint(0) + varint(segments);
  for (std::uint64_t i = 0; i < segments; ++i) record += varint(1) + varint(1) + varint(last_page);
  return record;
}

std::string blob(const std::string& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string literal = "x'";
  for (const char c : bytes) {
    literal += kDigits[static_cast<unsigned char>(c) >> 4U];
    literal += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return literal + "'";
}

void put_number(std::string& bytes, std::size_t at, std::uint32_t number) {
  if (bytes.size() < at + sizeof number) throw std::logic_error("a section of the sound snapshot is too small");
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

ChangeSection in_section(SectionId id, void (*change)(std::string&)) {
  return [id, change](SectionId at, std::string& bytes) {
    if (at == id) change(bytes);
  };
}

}  // namespace

std::vector<HostileSnapshot> hostile_snapshots(const std::string& sound) {
  std::vector<HostileSnapshot> all;
  const auto with_pages = [&](std::string name, const auto& change, bool is_sound = false) {
    Pages pages(sound);
    change(pages);
    all.push_back({std::move(name), with_database(sound, pages.take()), is_sound});
  };
  const auto with_sql = [&](std::string name, const std::string& sql) {
    all.push_back({std::move(name), modified_snapshot(sound, sql)});
  };
  const auto with_section = [&](std::string name, SectionId id, void (*change)(std::string&)) {
    all.push_back({std::move(name), modified_snapshot(sound, "", in_section(id, change))});
  };
  with_pages("manifest-fan", [](Pages& pages) { fan_out(pages, "manifest", {{"key"}, {"value"}}); });
  with_pages("listing-fan", [](Pages& pages) {
    fan_out(pages, "listing", {{"music.genre"}, {"", true}, {"id"}, {std::string(4'000, 'l')}, {"", true}});
  });
  with_pages("synonyms-fan", [](Pages& pages) { fan_out(pages, "synonyms", {{"", true}, {"", true}, {"rain"}}); });
  with_pages("relations-fan", [](Pages& pages) {
    const std::string row = record({{"rain"}, {"storm"}, {"", true}, {"", true}});
    std::uint32_t child = pages.add(page_of(PageType::table_leaf, varint(row.size()) + varint(1) + row, 0));
    for (int level = 0; level < kLevels - 1; ++level) child = pages.add(fan(PageType::table_interior, child, {}));
    pages.put_page(pages.root_of("relations"), fan(PageType::table_interior, child, {}));
  });
  with_pages("schema-fan", fan_out_schema);
  with_pages("child-of-itself", [](Pages& pages) {
    const std::uint32_t root = pages.root_of("manifest");
    pages.put_page(root, fan(PageType::index_interior, root, record({{"key"}, {"value"}})));
  });
  with_pages("children-of-each-other", [](Pages& pages) {
    const std::string row = record({{"key"}, {"value"}});
    const std::uint32_t root = pages.root_of("manifest");
    pages.put_page(root, fan(PageType::index_interior, pages.add(fan(PageType::index_interior, root, row)), row));
  });
  with_pages("overflow-loop", [](Pages& pages) { chain_overflow(pages, "manifest"); });
  with_pages("free-pages-loop", loop_free_pages, true);
  with_pages("pages-without-number", [](Pages& pages) { pages.put(28, big_endian(0x7fff'ffffU, 4)); });
  with_pages("cells-without-number",
             [](Pages& pages) { pages.put((pages.root_of("manifest") - 1) * kPageBytes + 3, big_endian(0xffffU, 2)); });
  with_pages(
      "words-fan",
      [](Pages& pages) {
        std::uint32_t child = pages.add(pages.page(pages.root_of("words_data")));
        for (int level = 0; level < kLevels - 1; ++level) child = pages.add(fan(PageType::table_interior, child, {}));
        pages.put_page(pages.root_of("words_data"), fan(PageType::table_interior, child, {}));
      },
      true);
  all.push_back(
      {"segment-a-thousand-times",
       modified_snapshot(sound, "UPDATE words_data SET block = " + blob(structure(1'000, 1)) + " WHERE id = 10"),
       true});
  with_sql("segment-without-end",
           "UPDATE words_data SET block = " + blob(structure(1, 0x7fff'ffffU)) + " WHERE id = 10");
  with_sql("tracks-without-number", "UPDATE manifest SET value = '4294901759' WHERE key IN ('tracks', 'music')");
  with_sql("steering-format",
           "UPDATE manifest SET value = '" + std::string(kSteering) + "' WHERE key = 'format_version'");
  with_sql("steering-word", "UPDATE listing SET id = '" + std::string(kSteering) + "' WHERE list = 'source'");
  all.push_back(
      {"steering-manifest",
       modified_snapshot(sound, "UPDATE manifest SET value = '" + std::string(kSteering) + "' WHERE key = 'site_url'"),
       true});
  with_sql("another-table", "CREATE TABLE more (id, value TEXT AS (hex(zeroblob(900000))))");
  with_sql("an-index", "CREATE INDEX more ON listing (label)");
  with_sql("a-computed-manifest",
           "ALTER TABLE manifest ADD COLUMN more TEXT AS (replace(hex(zeroblob(400000)), '0', '00'))");
  with_section("terms-without-number", SectionId::terms, [](auto& data) { put_number(data, 4, 0xffff'ffffU); });
  with_section("slots-that-are-full", SectionId::terms, [](auto& data) {
    std::uint32_t slots = 0;
    std::uint32_t terms = 0;
    std::memcpy(&slots, data.data(), sizeof slots);
    std::memcpy(&terms, data.data() + sizeof slots, sizeof terms);
    const std::size_t sparse = ((terms + 127) / 128 + 1) / 2 * 2;
    for (std::size_t i = 0; i < slots; ++i) put_number(data, 4 * (2 + sparse + i), 1);
  });
  with_section("tags-without-place", SectionId::tag_terms, [](auto& data) {
    for (std::size_t at = 0; at < data.size(); at += 24) put_number(data, at + 4, 0x7fff'ffffU);
  });
  with_section("tags-without-number", SectionId::tag_terms, [](auto& data) {
    for (std::size_t at = 8; at < data.size(); at += 24) put_number(data, at, 0xffff'ffffU);
  });
  with_section("phrases-without-number", SectionId::phrases, [](auto& data) { put_number(data, 0, 0xffff'ffffU); });
  with_section("thesaurus-without-number", SectionId::thesaurus, [](auto& data) { put_number(data, 0, 0xffff'ffffU); });
  with_section("creators-without-end", SectionId::creators, [](auto& data) { put_number(data, 4, 0xffff'ffffU); });
  with_section("creators-that-start-nowhere", SectionId::creator_starts,
               [](auto& data) { put_number(data, 0, 0xffff'fff0U); });
  with_section("an-artist-that-there-is-not", SectionId::creator,
               [](auto& data) { put_number(data, 0, 0xffff'fffeU); });
  with_section("spellings-without-number", SectionId::spellings, [](auto& data) {
    for (std::size_t at = 0; at < sizeof(catalog::Spellings::LengthStarts) / 2; at += 8)
      put_number(data, at, 0xffff'ffffU);
  });
  with_section("spellings-without-end", SectionId::spellings, [](auto& data) {
    for (std::size_t at = sizeof(catalog::Spellings::LengthStarts); at + 8 < data.size(); at += 16) {
      put_number(data, at + 4, 0xffff'ffffU);
    }
  });
  with_section("changes-without-number", SectionId::changes, [](auto& data) { put_number(data, 4, 0xffff'ffffU); });
  with_section("changes-that-overlap", SectionId::changes, [](auto& data) {
    data.assign(32 + (std::size_t{1} << 20U), '\1');
    put_number(data, 0, 1);
    put_number(data, 4, 1);
    put_number(data, 16, 0);
    put_number(data, 20, 0);
    put_number(data, 24, 0);
    put_number(data, 28, 1U << 20U);
  });
  with_section("track-blocks-alike", SectionId::track_blocks, [](auto& data) { data.assign(data.size(), '\0'); });
  return all;
}

}  // namespace tonearm::test
