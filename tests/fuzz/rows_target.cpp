// Files of rows in every format, compressed and not. The first byte of an input selects them.

#include <sqlite3.h>

#include <array>
#include <memory>
#include <string>

#include "input/rows.h"
#include "packed.h"
#include "target.h"
#include "tonearm/sqlite.h"

namespace tonearm::fuzz {
namespace {

using builder::RowFormat;

constexpr std::array<const char*, 3> kExtensions{"", ".gz", ".zst"};
constexpr unsigned kFormats = 6;

builder::RowLayout layout_of(RowFormat format) {
  builder::RowLayout layout;
  layout.format = format;
  if (format == RowFormat::tsv || format == RowFormat::lines) layout.columns = {"file", "title"};
  if (format == RowFormat::json) layout.rows = "data.sounds";
  layout.pattern = "^(\\S+) (.*)$";
  layout.heading = boost::regex("^# (?<artist>.*)$");
  layout.skip = boost::regex("^$");
  layout.table = "sounds";
  return layout;
}

std::string seed(RowFormat format, std::size_t extension, std::string_view bytes) {
  std::string input(1, static_cast<char>(static_cast<unsigned>(format) + kFormats * extension));
  return input.append(bytes);
}

/// Returns a database with the layout's table.
std::string database() {
  const auto opened = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  sql::execute(opened.get(),
               "CREATE TABLE sounds (file TEXT, title, size REAL); INSERT INTO sounds VALUES ('a.wav', 'Rain', 1.5), "
               "(NULL, x'00ff', 2)");
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(sqlite3_serialize(opened.get(), "main", &size, 0),
                                                                      &sqlite3_free);
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

std::vector<std::string> row_seeds() {
  constexpr std::string_view kCsv = "file,title\r\na.wav,\"Rain, \"\"long\"\"\"\r\nb.wav,\r\n";
  return {seed(RowFormat::csv, 0, kCsv),
          seed(RowFormat::csv, 1, test::gzipped(std::string(kCsv))),
          seed(RowFormat::csv, 2, test::zstd_packed(std::string(kCsv))),
          seed(RowFormat::tsv, 0, "a.wav\tRain\nb.wav\t\n"),
          seed(RowFormat::json, 0,
               R"({"data": {"sounds": [{"file": "a.wav", "tags": [{"name": "rain"}], "n": 1e3}, {"file": null}]}})"),
          seed(RowFormat::json, 0, R"({"data": {"sounds": {"a": {"file": "a.wav"}, "b": []}}})"),
          seed(RowFormat::jsonl, 0, "{\"file\": \"a.wav\", \"previews\": {\"hq\": \"x\"}}\n\n[1]\n"),
          seed(RowFormat::lines, 0, "# Ada\na.wav Rain\n\nbroken\n"),
          seed(RowFormat::sqlite, 0, database())};
}

void run_rows(std::string_view input) {
  const unsigned choice = take_byte(input);
  const auto format = static_cast<RowFormat>(choice % kFormats);
  const auto* extension = kExtensions.at(choice / kFormats % kExtensions.size());
  const auto path = write_scratch("rows", input) + extension;
  if (*extension != '\0') write_scratch(std::string("rows") + extension, input);
  const auto layout = layout_of(format);
  allow_failure([&] {
    const auto rows = builder::open_rows(layout, path);
    builder::Row row;
    for (std::uint64_t before = 0; rows->next(row); before = row.number) {
      require(row.number > before, "the numbers of rows do not grow");
      require(!row.broken || row.cells.empty(), "a broken row has cells");
    }
  });
}

}  // namespace

const Target kRows{"rows", row_seeds, run_rows};

}  // namespace tonearm::fuzz
