#include "shards/call_report.h"

#include <doctest/doctest.h>

#include <string>

using tonearm::shards::read_reports;
using tonearm::shards::write_report;
using tonearm::state::CallRecord;

namespace {

CallRecord full_record() {
  CallRecord call;
  call.account = "acc_x";
  call.key_id = "key_x";
  call.at_ms = 1'790'000'000'123;
  call.number = (std::int64_t{1} << 53) - 1;
  call.method = "GET";
  call.route = "/v1/search";
  call.status = 200;
  call.duration_ms = 7;
  call.result_count = 0;
  call.search_text = "";
  call.first_party = true;
  return call;
}

}  // namespace

TEST_CASE("a report preserves every field of its records, and an empty one has no bytes") {
  CallRecord bare = full_record();
  bare.result_count.reset();
  bare.search_text.reset();
  bare.first_party = false;
  bare.status = 404;
  const std::vector<CallRecord> calls{full_record(), bare};
  const auto read = read_reports(write_report(calls));
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(i);
    CHECK((*read)[i].account == calls[i].account);
    CHECK((*read)[i].key_id == calls[i].key_id);
    CHECK((*read)[i].at_ms == calls[i].at_ms);
    CHECK((*read)[i].number == calls[i].number);
    CHECK((*read)[i].method == calls[i].method);
    CHECK((*read)[i].route == calls[i].route);
    CHECK((*read)[i].status == calls[i].status);
    CHECK((*read)[i].duration_ms == calls[i].duration_ms);
    CHECK((*read)[i].result_count == calls[i].result_count);
    CHECK((*read)[i].search_text == calls[i].search_text);
    CHECK((*read)[i].first_party == calls[i].first_party);
  }
  CHECK(write_report({}).empty());
}

TEST_CASE("several reports, one after the other, are read as one") {
  const std::string report = write_report(std::vector<CallRecord>{full_record()});
  const auto read = read_reports(report + report);
  REQUIRE(read);
  CHECK(read->size() == 2);
  CHECK_FALSE(read_reports(report + report.substr(0, report.size() - 1)));
}

TEST_CASE("truncated, extended or otherwise malformed bytes are not a report") {
  const std::string report = write_report(std::vector<CallRecord>{full_record()});
  for (std::size_t size = 0; size < report.size(); ++size) CHECK_FALSE(read_reports(report.substr(0, size)));
  CHECK_FALSE(read_reports(report + '\0'));
  std::string other = report;
  other[0] = 9;
  CHECK_FALSE(read_reports(other));
  std::string many = report;
  many[7] = '\x7f';  // two thousand million records
  CHECK_FALSE(read_reports(many));
}
