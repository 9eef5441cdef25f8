#include "input/line_reader.h"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "input/byte_source.h"
#include "input/rows.h"
#include "packed.h"
#include "scratch_folder.h"
#include "tonearm/result.h"
#include "tonearm/sqlite.h"

namespace tonearm::builder {
namespace {

using test::gzipped;
using test::zstd_packed;

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> result;
  LineReader reader(path);
  while (reader.next()) result.push_back(reader.too_long() ? "<too long>" : reader.line());
  return result;
}

std::vector<Row> rows_of(const RowLayout& form, const std::string& path) {
  std::vector<Row> result;
  const auto reader = open_rows(form, path);
  for (Row row; reader->next(row);) result.push_back(row);
  return result;
}

std::vector<Row> rows_of(RowFormat format, const std::string& path, const std::string& table = {}) {
  RowLayout form;
  form.format = format;
  form.table = table;
  return rows_of(form, path);
}

/// Returns the message of the failure.
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

TEST_CASE("lines are read whole, with any line end and at any buffer boundary") {
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

// LINE-1
TEST_CASE("compressed files have the same lines") {
  const test::ScratchFolder folder;
  const auto plain = lines_of(folder.write("a.jsonl", many_lines()));
  CHECK(lines_of(folder.write("a.jsonl.gz", gzipped(many_lines()))) == plain);
  CHECK(lines_of(folder.write("a.jsonl.zst", zstd_packed(many_lines()))) == plain);
}

TEST_CASE("several gzip members are one file") {
  const test::ScratchFolder folder;
  CHECK(lines_of(folder.write("a.gz", gzipped("a\nb") + gzipped("c\n"))) == std::vector<std::string>{"a", "bc"});
  CHECK(lines_of(folder.write("a.zst", zstd_packed("a\nb") + zstd_packed("c\n"))) ==
        std::vector<std::string>{"a", "bc"});
}

TEST_CASE("a line over 1 MiB is skipped in bounded memory, and the next is read") {
  const test::ScratchFolder folder;
  const std::string longest(kLineBytesMax, 'x');
  const auto lines = lines_of(folder.write("a", longest + "\n" + longest + "y\nnext\n"));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == longest);
  CHECK(lines[1] == "<too long>");
  CHECK(lines[2] == "next");
}

TEST_CASE("a truncated, damaged or missing file is a failure with its name") {
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

TEST_CASE("CSV is read as RFC 4180 defines it") {
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
  CHECK(rows[3].broken == "has text after a quoted field");
  CHECK(rows[4].first("title") == "w");
  CHECK(rows[4].first("nonsense").empty());
  const auto cut = rows_of(RowFormat::csv, folder.write("b.csv.gz", gzipped("a,b\n1,\"cut off in the mid")));
  REQUIRE(cut.size() == 1);
  CHECK(cut[0].broken == "ends inside a quoted field");
  CHECK(failure_of([&] { rows_of(RowFormat::csv, folder.write("c.csv", "")); }).find("is empty") != std::string::npos);
}

TEST_CASE("a CSV file whose header repeats a column is rejected") {
  const test::ScratchFolder folder;
  const auto path = folder.write("a.csv", "id,license,license\n1,cc0,cc-by-nc-4.0\n");
  CHECK(failure_of([&] { rows_of(RowFormat::csv, path); }).find("the column \"license\" occurs twice") !=
        std::string::npos);
  CHECK(rows_of(RowFormat::csv, folder.write("b.csv", "id,,\n1,,\n")).size() == 1);
}

TEST_CASE("a truncated compressed table is a failure with file and line") {
  const test::ScratchFolder folder;
  const auto gzip = gzipped("a,b\n" + many_lines());
  const auto path = folder.write("cut.csv.gz", gzip.substr(0, gzip.size() / 2));
  const auto message = failure_of([&] { rows_of(RowFormat::csv, path); });
  CHECK(message.find(path + ": is truncated: the gzip data ends too early (line ") == 0);
}

TEST_CASE("a JSON object that repeats a key is malformed, and the next is read") {
  const test::ScratchFolder folder;
  const auto rows = rows_of(RowFormat::json,
                            folder.write("a.json", R"([{"a":"1","license":"cc0","license":"cc-by-4.0"},{"a":"2"}])"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].broken == "repeats the key \"license\"");
  CHECK(rows[0].cells.empty());
  CHECK(rows[1].first("a") == "2");
}

TEST_CASE("a JSON array may contain numbers of any size and values of any depth") {
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

TEST_CASE("values in a JSON array of objects are texts, and lists are several values") {
  const test::ScratchFolder folder;
  const auto rows =
      rows_of(RowFormat::json, folder.write("a.json", R"([{"a":"x","b":[1,"y"],"c":null,"d":1.5,"e":true},7])"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].cells.at("b") == std::vector<std::string>{"1", "y"});
  CHECK(rows[0].first("c").empty());
  CHECK(rows[0].first("d") == "1.5");
  CHECK(rows[0].first("e") == "true");
  CHECK(rows[1].broken == "is not an object");
  for (const auto* wrong : {"7", "[", "[1,]", ""}) {
    CAPTURE(wrong);
    CHECK(failure_of([&] { rows_of(RowFormat::json, folder.write("b.json", wrong)); }).find("b.json") !=
          std::string::npos);
  }
}

TEST_CASE("rows are in an array, inside an object, its values, or the object itself") {
  const test::ScratchFolder folder;
  RowLayout form;
  form.format = RowFormat::json;
  form.rows = "data.byID";
  for (const auto* text : {R"([{"a":"1"},{"a":"2"}])", R"({"data":{"byID":[{"a":"1"},{"a":"2"}]}})",
                           R"({"data":{"byID":{"x":{"a":"1"},"y":{"a":"2"}}}})"}) {
    CAPTURE(text);
    const auto rows = rows_of(form, folder.write("a.json", text));
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].first("a") == "2");
    CHECK(rows[1].number == 2);
  }
  CHECK(rows_of(form, folder.write("a.json", R"({"a":"1"})")).size() == 1);
  CHECK(rows_of(form, folder.write("a.json", R"({"data":{"byID":{}}})")).empty());
}

TEST_CASE("nested values have dotted names, and a repeated nested key makes the row malformed") {
  const test::ScratchFolder folder;
  const auto rows =
      rows_of(RowFormat::jsonl, folder.write("a.jsonl", R"({"p":{"q":{"r":"1"}},"tags":[{"name":"x"},{"name":"y"}]})"
                                                        "\n\n{\"p\":{\"q\":1,\"q\":2}}\n{\"a\n[1]\n"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].first("p.q.r") == "1");
  CHECK(rows[0].all("tags.name") == std::vector<std::string>{"x", "y"});
  CHECK(rows[1].broken == "repeats a key of \"p\"");
  CHECK(rows[1].number == 3);
  CHECK(rows[2].broken->find("is not JSON") == 0);
  CHECK(rows[3].broken == "is not an object");
}

TEST_CASE("quotes between tabs are text, and further fields belong to the last column") {
  const test::ScratchFolder folder;
  const auto rows = rows_of(RowFormat::tsv, folder.write("a.tsv", "ID\tTAGS\r\n1\ta\t\"b\r\n\r\n2\n3\t"));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].all("TAGS") == std::vector<std::string>{"a", "\"b"});
  CHECK(rows[1].broken == "has 1 fields, the header 2");
  CHECK(rows[1].number == 4);
  CHECK(rows[2].all("TAGS").empty());
}

TEST_CASE("lines that match the pattern are rows with the heading above them") {
  const test::ScratchFolder folder;
  RowLayout form;
  form.format = RowFormat::lines;
  form.columns = {"title", "license"};
  form.pattern = boost::regex(R"(^'(.*)' \[(.*)\]$)");
  form.heading = boost::regex("^\\d+ - (.*):$");
  form.skip = boost::regex("^#|^$");
  const auto rows =
      rows_of(form, folder.write("a.txt", "# list\n\n101 - Dog:\n'Bark [1]' [CC0]\nelse\n102 - Cow:\n'' [x]"));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].first("title") == "Bark [1]");
  CHECK(rows[0].first("license") == "CC0");
  CHECK(rows[0].first("heading") == "Dog");
  CHECK(rows[0].number == 4);
  CHECK(rows[1].broken == "does not match the pattern of a row: else");
  CHECK(rows[2].all("title").empty());
  CHECK(rows[2].first("heading") == "Cow");
}

TEST_CASE("header rows are joined, or the columns are declared") {
  const test::ScratchFolder folder;
  RowLayout form;
  form.header_rows = 3;
  const auto path = folder.write("a.csv", ",track,artist\n,title,name\ntrack_id,,\n2,Food,AWOL\n");
  const auto rows = rows_of(form, path);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].first("track_id") == "2");
  CHECK(rows[0].first("track.title") == "Food");
  CHECK(rows[0].first("artist.name") == "AWOL");
  CHECK(rows[0].number == 4);
  form.columns = {"id", "label", "checked"};
  CHECK(rows_of(form, path).front().first("label") == "track");
  form.columns.clear();
  CHECK(failure_of([&] { rows_of(form, folder.write("b.csv", "a,b\nc\n")); }).find("is empty") == std::string::npos);
}

TEST_CASE("a file that decompresses beyond its bounds is rejected and read no further" * doctest::test_suite("long")) {
  const test::ScratchFolder folder;
  const std::string zeros(4U << 20U, '0');
  const auto read_all = [](const std::string& path, const UnpackBounds& bounds) {
    const auto bytes = open_bytes(path, bounds);
    std::vector<char> piece(1U << 16U);
    while (bytes->read(piece) != 0) {
    }
  };
  for (const auto& path : {folder.write("a.gz", gzipped(zeros)), folder.write("a.zst", zstd_packed(zeros))}) {
    CAPTURE(path);
    CHECK_NOTHROW(read_all(path, {}));
    CHECK(failure_of([&] {
            read_all(path, {1U << 20U, 1'000'000, 0});
          }) == path + ": decompresses to more than 1048576 bytes");
    CHECK(failure_of([&] {
            read_all(path, {1U << 30U, 100, 1U << 20U});
          }) == path + ": decompresses to more than 100 times its size");
  }
  // Half a gigabyte of zeros in half a megabyte, with the default bounds.
  const std::string bomb(64U << 20U, '\0');
  std::string members;
  for (int i = 0; i < 8; ++i) members += gzipped(bomb);
  const auto path = folder.write("bomb.jsonl.gz", members);
  CHECK(failure_of([&] { lines_of(path); }) == path + ": decompresses to more than 400 times its size (line 1)");
}

namespace {

/// Returns the peak memory that `body` adds, in a separate process, because the peak of this one would hide it.
template <class Body>
long peak_mib(Body body) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    rusage before{};
    rusage after{};
    getrusage(RUSAGE_SELF, &before);
    body();
    getrusage(RUSAGE_SELF, &after);
    const long mib = (after.ru_maxrss - before.ru_maxrss) / 1024;
    ::_exit(::write(ends[1], &mib, sizeof mib) == sizeof mib ? 0 : 1);
  }
  long mib = -1;
  ::close(ends[1]);
  const auto count = ::read(ends[0], &mib, sizeof mib);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(count == sizeof mib);
  return mib;
}

/// Reads and discards all rows.
void walk(RowFormat format, const std::string& path) {
  RowLayout form;
  form.format = format;
  const auto reader = open_rows(form, path);
  for (Row row; reader->next(row);) {
  }
}

/// Writes a file that repeats `text`.
std::string repeated(const test::ScratchFolder& folder, const std::string& name, const std::string& head,
                     const std::string& text, std::size_t bytes) {
  std::ofstream file(folder.path(name), std::ios::binary);
  file << head;
  std::string piece;
  while (piece.size() < 1U << 20U) piece += text;
  for (std::size_t written = 0; written < bytes; written += piece.size()) file << piece;
  return folder.path(name);
}

}  // namespace

TEST_CASE("the measurement of memory sees allocations") {
  CHECK(peak_mib([] {
          std::vector<char> bytes(200U << 20U, 'x');
          CHECK(bytes.back() == 'x');
        }) >= 190);
}

TEST_CASE("an endless line needs bounded memory" * doctest::test_suite("long")) {
  const test::ScratchFolder folder;
  // 300 MiB in a sparse file.
  const auto path = folder.write("a.jsonl", "");
  std::filesystem::resize_file(path, 300U << 20U);
  CHECK(lines_of(path) == std::vector<std::string>{"<too long>"});
  const auto rows = rows_of(RowFormat::jsonl, path);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].broken == "is longer than 1 MiB");
  CHECK(rows_of(RowFormat::tsv, folder.write("a.tsv", "a\n" + std::string(2U << 20U, 'x'))).front().broken ==
        "is longer than 1 MiB");
  CHECK(peak_mib([&] { lines_of(path); }) < 64);
  CHECK(peak_mib([&] { walk(RowFormat::jsonl, path); }) < 64);
  const auto commas = repeated(folder, "commas.csv", "a,b\n", ",", 40U << 20U);
  CHECK(rows_of(RowFormat::csv, commas).front().broken == "is longer than 1 MiB");
  CHECK(peak_mib([&] { walk(RowFormat::csv, commas); }) < 400);
  CHECK(peak_mib([&] { walk(RowFormat::csv, repeated(folder, "quote.csv", "a\n\"", "x,\n", 40U << 20U)); }) < 64);
}

TEST_CASE("JSON texts and their rows have bounded length" * doctest::test_suite("long")) {
  const test::ScratchFolder folder;
  const auto many = repeated(folder, "many.json", "[1", ",1", 60U << 20U);
  CHECK(failure_of([&] { walk(RowFormat::json, many); }) ==
        many + ": contains more than 8388608 values; JSON Lines may contain any number");
  const auto mib = peak_mib([&] { failure_of([&] { walk(RowFormat::json, many); }); });
  CHECK(mib < 400);
  const auto large = repeated(folder, "large.json", "[\"", "x", 65U << 20U);
  CHECK(failure_of([&] { walk(RowFormat::json, large); }) ==
        large + ": is longer than 64 MiB; JSON Lines may be of any length");
  const std::string long_text(2U << 20U, 'x');
  std::string long_list = "1";
  while (long_list.size() < 2U << 20U) long_list += ",1";
  const auto rows = rows_of(RowFormat::json, folder.write("rows.json", R"([{"a":")" + long_text + R"("},{"a":[)" +
                                                                           long_list + R"(]},{"a":"b"}])"));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].broken == "is longer than 1 MiB");
  CHECK(rows[1].broken == "is longer than 1 MiB");
  CHECK(rows[2].first("a") == "b");
}

TEST_CASE("malformed JSON is rejected with the line of the error") {
  const test::ScratchFolder folder;
  const auto message = [&](const std::string& text) {
    const auto path = folder.write("a.json", text);
    return failure_of([&] { walk(RowFormat::json, path); }).substr(path.size());
  };
  CHECK(message("[\n{\"a\":1},\n{\"a\" 2}\n]").starts_with(":3: is not JSON: "));
  CHECK(message("[\n1,\n").starts_with(":3: is not JSON: "));
  CHECK(message("[\n\"\xFF\"]").starts_with(":2: is not JSON: "));
}

TEST_CASE("a repeated column in a TSV header is rejected") {
  const test::ScratchFolder folder;
  CHECK(failure_of([&] { walk(RowFormat::tsv, folder.write("a.tsv", "a\tb\ta\n")); }) ==
        folder.path("a.tsv") + ":1: the column \"a\" occurs twice");
}

TEST_CASE("an SQLite table is read row by row") {
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
  {
    const auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
    sqlite3_exec(database.get(), "CREATE TABLE long(a BLOB); INSERT INTO long VALUES(zeroblob(2000000)), ('b')",
                 nullptr, nullptr, nullptr);
  }
  const auto long_rows = rows_of(RowFormat::sqlite, path, "long");
  REQUIRE(long_rows.size() == 2);
  CHECK(long_rows[0].broken == "is longer than 1 MiB");
  CHECK(long_rows[1].first("a") == "b");
  CHECK(failure_of([&] { rows_of(RowFormat::sqlite, path, "other"); }).find("no such table") != std::string::npos);
  CHECK(failure_of([&] { rows_of(RowFormat::sqlite, folder.path("none.db"), "t"); }) != "no failure");
  CHECK(failure_of([&] { rows_of(RowFormat::sqlite, folder.write("text.db", "text, text, text"), "t"); }) !=
        "no failure");
}

}  // namespace tonearm::builder
