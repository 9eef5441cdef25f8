#include "output/listings.h"

#include <doctest/doctest.h>

#include <string>

namespace tonearm::cli {
namespace {

namespace json = boost::json;

/// The table of a page without its headings: of each row only the id, and lines as they are.
std::string page(std::string_view tracks, std::string_view rest) {
  std::string answer = R"({"tracks":[)";
  for (const char id : tracks)
    answer.append(answer.back() == '[' ? "" : ",").append(R"({"id":")") += std::string(1, id) + "\"}";
  answer.append("],").append(rest).append("}");
  const std::string table = format_answer(json::parse(answer).as_object(), Shape::tracks, {}).data;
  std::string out;
  for (std::size_t from = table.find('\n') + 1; from < table.size(); from = table.find('\n', from) + 1) {
    const std::string line = table.substr(from, table.find('\n', from) - from);
    out += (line.size() > 3 && line[1] == ' ' ? line.substr(0, 1) : '[' + line + ']');
  }
  return out;
}

}  // namespace

TEST_CASE("CLI-14: a line precedes the tracks with fewer words, and the related ones") {
  const std::string matched =
      R"("words":2,"matched":[{"words":2,"total":2},{"words":1,"total":3},{"words":0,"total":2}])";
  CHECK(page("abcdefg", R"("total":7,"cursor":null,)" + matched) ==
        "ab[Tracks with 1 of 2 words]cde[Related tracks: they have none of the words]fg");
  // Pages of three tracks.
  CHECK(page("abc", R"("total":7,"cursor":"3",)" + matched) == "ab[Tracks with 1 of 2 words]c");
  CHECK(page("def", R"("total":7,"cursor":"6",)" + matched) ==
        "[Tracks with 1 of 2 words]de[Related tracks: they have none of the words]f");
  CHECK(page("g", R"("total":7,"cursor":null,)" + matched) == "[Related tracks: they have none of the words]g");
  CHECK(page("ab", R"("total":7,"cursor":"2",)" + matched) == "ab");
  CHECK(page("a", R"("total":1,"cursor":null,"words":2,"matched":[{"words":1,"total":1}])") ==
        "[Tracks with 1 of 2 words]a");
}

TEST_CASE("CLI-14: a page without matched words has no lines, and wrong numbers do no harm") {
  CHECK(page("ab", R"("total":2,"cursor":null)") == "ab");
  CHECK(page("ab", R"("total":-9,"cursor":"x","words":1,"matched":[{"words":1,"total":-3},{},7])") == "ab");
  CHECK(page("ab", R"("total":9223372036854775807,"cursor":"-9223372036854775808","words":1,"matched":[)"
                   R"({"words":1,"total":9223372036854775807},{"words":0,"total":9223372036854775807}])") == "ab");
}

TEST_CASE("A track's tempo is shown as a plain decimal, whatever the server sends") {
  const auto shown = [](const std::string& bpm) {
    return format_answer(json::parse(R"({"id":"a","bpm":)" + bpm + '}').as_object(), Shape::track, {}).data;
  };
  CHECK(shown("90.5").find(" 90.5\n") != std::string::npos);
  CHECK(shown("90").find(" 90\n") != std::string::npos);
  CHECK(shown("-0.5").find(" -0.5\n") != std::string::npos);
  CHECK(shown("1e300").find(" 1e+300\n") != std::string::npos);
}

}  // namespace tonearm::cli
