#include "monitoring/metrics.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

using namespace tonearm;
using namespace tonearm::native;
using std::chrono::microseconds;

namespace {

void check_lines(const Metrics& metrics, const std::vector<std::string>& lines, const Metrics::Gauges& gauges = {}) {
  const auto text = '\n' + metrics.text(gauges);
  for (const auto& line : lines) {
    CAPTURE(line);
    CHECK(text.find('\n' + line + '\n') != std::string::npos);
  }
}

}  // namespace

TEST_CASE("HOST-33: a duration counts in its bucket and in all above; a bound belongs to its bucket") {
  Metrics metrics;
  for (const int us : {0, 500, 501, 10'000'000, 10'000'001}) metrics.count_request("/v1/meta", 200, microseconds(us));
  metrics.count_request("/v1/meta", 200, std::chrono::nanoseconds(500'001));
  const std::string bucket = "tonearm_request_duration_seconds_bucket{route=\"/v1/meta\",le=";
  check_lines(metrics, {bucket + "\"0.0005\"} 2", bucket + "\"0.001\"} 4", bucket + "\"0.0025\"} 4",
                        bucket + "\"5\"} 4", bucket + "\"10\"} 5", bucket + "\"+Inf\"} 6",
                        "tonearm_request_duration_seconds_sum{route=\"/v1/meta\"} 20.001502",
                        "tonearm_request_duration_seconds_count{route=\"/v1/meta\"} 6",
                        "tonearm_requests_total{route=\"/v1/meta\",status=\"200\"} 6"});
}

TEST_CASE("HOST-33: no label contains data of a client") {
  Metrics metrics;
  metrics.count_request("/v1/tracks/os-101\"} 1\nfake 1", 404, microseconds(1));
  metrics.count_request("/wp-login.php", 404, microseconds(1));
  metrics.count_request("/metrics?x", 200, microseconds(1));
  metrics.count_request("", 99, microseconds(0));
  check_lines(metrics, {"tonearm_requests_total{route=\"/v1/tracks/{id}\",status=\"404\"} 1",
                        "tonearm_requests_total{route=\"other\",status=\"404\"} 1",
                        "tonearm_requests_total{route=\"/metrics\",status=\"200\"} 1",
                        "tonearm_requests_total{route=\"other\",status=\"100\"} 1"});
  const auto text = metrics.text({});
  CHECK(text.find("os-101") == std::string::npos);
  CHECK(text.find("fake") == std::string::npos);
  CHECK(text.find("wp-login") == std::string::npos);
}

TEST_CASE("the text has the given values of cache, catalog, disk and PostgreSQL, and omits missing ones") {
  Metrics metrics;
  metrics.count_failure();
  metrics.count_failed_handshake();
  Metrics::Gauges gauges;
  gauges.service = {7, 5, 4'096};
  gauges.catalog_refusals = 2;
  gauges.disk = {1'000, true};
  gauges.pool = {4, 3, 2, 1};
  check_lines(
      metrics,
      {"tonearm_answer_cache_hits_total 7", "tonearm_answer_cache_misses_total 5", "tonearm_answer_cache_bytes 4096",
       "tonearm_catalog_refusals_total 2", "tonearm_state_free_bytes 1000", "tonearm_state_short_of_room 1",
       "tonearm_postgresql_connections{state=\"idle\"} 3", "tonearm_postgresql_connections{state=\"used\"} 1",
       "tonearm_postgresql_waiting 2", "tonearm_postgresql_retries_total 1", "tonearm_failures_total 1",
       "tonearm_tls_handshake_failures_total 1"},
      gauges);
  const auto bare = metrics.text({});
  for (const auto* name : {"tonearm_state_", "tonearm_postgresql_", "tonearm_catalog_info{"}) {
    CAPTURE(name);
    CHECK(bare.find(name) == std::string::npos);
  }
  CHECK(bare.find("\nprocess_resident_memory_bytes ") != std::string::npos);
}

TEST_CASE("concurrent counts are exact") {
  constexpr int kThreads = 4;
  constexpr int kEach = 2'000;
  Metrics metrics;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&metrics] {
      for (int j = 0; j < kEach; ++j) metrics.count_request("/v1/search?q=a", 200, microseconds(j));
    });
  }
  for (auto& thread : threads) thread.join();
  check_lines(metrics, {"tonearm_requests_total{route=\"/v1/search\",status=\"200\"} 8000",
                        "tonearm_request_duration_seconds_count{route=\"/v1/search\"} 8000"});
}
