#include "admin/admin_output.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace tonearm::native {

// ADMIN-10
TEST_CASE("The pages of a list of accounts are shown as one") {
  const std::string first = R"({"accounts":[{"account":"acc_1"}],"total":2,"cursor":"5-acc_1"})";
  const std::string last = R"({"accounts":[{"account":"acc_2"}],"total":2,"cursor":null})";
  CHECK(next_cursor(first) == "5-acc_1");
  CHECK(next_cursor(last).empty());
  CHECK(next_cursor(R"({"plan":"free"})").empty());
  CHECK(next_cursor("no JSON").empty());
  const std::string joined = join_pages({first, last}, Shape::accounts);
  CHECK(joined == R"({"accounts":[{"account":"acc_1"},{"account":"acc_2"}],"total":2,"cursor":null})");
  CHECK(readable(joined, Shape::accounts) == "account\nacc_1\nacc_2\n");
  CHECK_THROWS_AS(join_pages({first, "no JSON"}, Shape::accounts), std::runtime_error);
}

}  // namespace tonearm::native
