#include "line_reader.h"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#include <array>

#include "failure.h"
#include "rows.h"
#include "scratch_folder.h"
#include "tonearm/sql.h"

namespace tonearm::builder {
namespace {

std::string gzipped(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string in = text;
  stream.next_in = static_cast<Bytef*>(static_cast<void*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> result;
  LineReader reader(path);
  while (reader.next()) result.push_back(reader.too_long() ? "<too long>" : reader.line());
  return result;
}

std::vector<Row> rows_of(RowFormat format, const std::string& path, const std::string& table = {}) {
  std::vector<Row> result;
  const auto reader = open_rows(format, path, table);
  for (Row row; reader->next(row);) result.push_back(row);
  return result;
}

/// The message of the failure that reading ends with.
template <class Read>
std::string failure_of(Read read) {
  try {
    read();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no failure";
}

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  return text;
}

}  // namespace

TEST_CASE("lines are read whole, whatever their ends and wherever a buffer ends") {
  const test::ScratchFolder folder;
  CHECK(lines_of(folder.write("a", "one\ntwo\n")) == std::vector<std::string>{"one", "two"});
  CHECK(lines_of(folder.write("b", "one\n\ntwo")) == std::vector<std::string>{"one", "", "two"});
  CHECK(lines_of(folder.write("c", "")).empty());
  CHECK(lines_of(folder.write("d", "\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo")) ==
        std::vector<std::string>{"one", "\xEF\xBB\xBFtwo"});
  const auto many = lines_of(folder.write("e", many_lines()));
  CHECK(many.size() == 20'000);
  CHECK(many.back() == "line " + std::to_string(19'999 * 7919));
}

TEST_CASE("packed lines are the same lines") {
  const test::ScratchFolder folder;
  const auto plain = lines_of(folder.write("a.jsonl", many_lines()));
  CHECK(lines_of(folder.write("a.jsonl.gz", gzipped(many_lines()))) == plain);
  CHECK(lines_of(folder.write("a.jsonl.zst", zstd_packed(many_lines()))) == plain);
}

TEST_CASE("several members in a row are one file") {
  const test::ScratchFolder folder;
  CHECK(lines_of(folder.write("a.gz", gzipped("a\nb") + gzipped("c\n"))) == std::vector<std::string>{"a", "bc"});
  CHECK(lines_of(folder.write("a.zst", zstd_packed("a\nb") + zstd_packed("c\n"))) ==
        std::vector<std::string>{"a", "bc"});
}

TEST_CASE("a line over 1 MiB is passed over in bounded memory, and the next is read") {
  const test::ScratchFolder folder;
  const std::string longest(kLineBytesMax, 'x');
  const auto lines = lines_of(folder.write("a", longest + "\n" + longest + "y\nnext\n"));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == longest);
  CHECK(lines[1] == "<too long>");
  CHECK(lines[2] == "next");
}

TEST_CASE("a file that is cut off, damaged or missing is a failure that names it, never its quiet end") {
  const test::ScratchFolder folder;
  const auto gzip = gzipped(many_lines());
  const auto zstd = zstd_packed(many_lines());
  struct Case {
    std::string name;
    std::string bytes;
  };
  std::string damaged = gzip;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  for (const auto& row :
       {Case{"cut.gz", gzip.substr(0, gzip.size() / 2)}, Case{"cut1.gz", gzip.substr(0, gzip.size() - 1)},
        Case{"empty.gz", ""}, Case{"damaged.gz", damaged}, Case{"plain.gz", "no gzip"},
        Case{"cut.zst", zstd.substr(0, zstd.size() / 2)}, Case{"cut1.zst", zstd.substr(0, zstd.size() - 1)},
        Case{"empty.zst", ""}, Case{"plain.zst", "no zstd"}}) {
    CAPTURE(row.name);
    const auto path = folder.write(row.name, row.bytes);
    const auto message = failure_of([&] { lines_of(path); });
    CHECK(message.find(path) != std::string::npos);
    CHECK(message.find("line ") != std::string::npos);
  }
  CHECK(failure_of([&] { lines_of(folder.path("missing")); }).find("missing") != std::string::npos);
  CHECK(failure_of([&] { lines_of(folder.path()); }).find("is a folder") != std::string::npos);
}

TEST_CASE("CSV is read as RFC 4180 has it") {
  const test::ScratchFolder folder;
  const auto path =
      folder.write("a.csv", "\xEF\xBB\xBFid,title\r\n1,\"a, \"\"b\"\"\nc\"\r\n\r\n2,\n3,x,y\n4,\"z\"q\n5,w");
  const auto rows = rows_of(RowFormat::csv, path);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].first("id") == "1");
  CHECK(rows[0].first("title") == "a, \"b\"\nc");
  CHECK(rows[0].number == 2);
  CHECK(rows[1].first("title").empty());
  CHECK(rows[1].number == 5);
  CHECK(rows[2].broken == "has 3 fields, the header 2");
  CHECK(rows[3].broken == "has text behind a quoted field");
  CHECK(rows[4].first("title") == "w");
  CHECK(rows[4].first("nonsense").empty());
  const auto cut = rows_of(RowFormat::csv, folder.write("b.csv.gz", gzipped("a,b\n1,\"cut off in the mid")));
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].broken == "ends inside a quoted field");
  CHECK(failure_of([&] { rows_of(RowFormat::csv, folder.write("c.csv", "")); }).find("is empty") != std::string::npos);
}

TEST_CASE("a CSV file whose header names a column twice is refused") {
  const test::ScratchFolder folder;
  const auto path = folder.write("a.csv", "id,license,license\n1,cc0,cc-by-nc-4.0\n");
  CHECK(failure_of([&] { rows_of(RowFormat::csv, path); }).find("the column \"license\" stands twice") !=
        std::string::npos);
  CHECK(rows_of(RowFormat::csv, folder.write("b.csv", "id,,\n1,,\n")).size() == 1);
}

TEST_CASE("a JSON object that names a key twice is broken, and the next is read") {
  const test::ScratchFolder folder;
  const auto rows = rows_of(RowFormat::json,
                            folder.write("a.json", R"([{"a":"1","license":"cc0","license":"cc-by-4.0"},{"a":"2"}])"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].broken == "names the key \"license\" twice");
  CHECK(rows[0].cells.empty());
  CHECK(rows[1].first("a") == "2");
}

TEST_CASE("numbers of any size and values of any depth end no JSON array") {
  const test::ScratchFolder folder;
  const std::string digits(400, '7');
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const auto rows =
      rows_of(RowFormat::json, folder.write("a.json", "[{\"a\":" + digits + ",\"b\":-1e999,\"c\":" + deep +
                                                          R"(,"d":"1e999 \" 1e999","e":1.5}])"));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].first("a") == digits);
  CHECK(rows[0].first("b") == "-1e999");
  CHECK(rows[0].first("c").empty());
  CHECK(rows[0].first("d") == "1e999 \" 1e999");
  CHECK(rows[0].first("e") == "1.5");
  CHECK(failure_of([&] { rows_of(RowFormat::json, folder.write("b.json", "[01e999]")); }) != "no failure");
}

TEST_CASE("a JSON array gives its objects' values as texts, lists as several") {
  const test::ScratchFolder folder;
  const auto rows =
      rows_of(RowFormat::json, folder.write("a.json", R"([{"a":"x","b":[1,"y"],"c":null,"d":1.5,"e":true},7])"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].cells.at("b") == std::vector<std::string>{"1", "y"});
  CHECK(rows[0].first("c").empty());
  CHECK(rows[0].first("d") == "1.5");
  CHECK(rows[0].first("e") == "true");
  CHECK(rows[1].broken == "is not an object");
  for (const auto* wrong : {"{}", "[", "[1,]", ""}) {
    CAPTURE(wrong);
    CHECK(failure_of([&] { rows_of(RowFormat::json, folder.write("b.json", wrong)); }).find("b.json") !=
          std::string::npos);
  }
}

TEST_CASE("a table of SQLite is read as it lies") {
  const test::ScratchFolder folder;
  const auto path = folder.path("a.db");
  {
    const auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
    sqlite3_exec(
        database.get(),
        "CREATE TABLE \"my \"\"songs\"(a TEXT, b INTEGER); INSERT INTO \"my \"\"songs\" VALUES('x', 1), (NULL, 0)",
        nullptr, nullptr, nullptr);
  }
  const auto rows = rows_of(RowFormat::sqlite, path, "my \"songs");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].first("a") == "x");
  CHECK(rows[1].first("a").empty());
  CHECK(rows[1].first("b") == "0");
  CHECK(failure_of([&] { rows_of(RowFormat::sqlite, path, "other"); }).find("no such table") != std::string::npos);
  CHECK(failure_of([&] { rows_of(RowFormat::sqlite, folder.path("none.db"), "t"); }) != "no failure");
  CHECK(failure_of([&] { rows_of(RowFormat::sqlite, folder.write("text.db", "text, text, text"), "t"); }) !=
        "no failure");
}

}  // namespace tonearm::builder
