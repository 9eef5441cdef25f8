#include "api/routing/admin_gate.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "fakes.h"
#include "system/system_ports.h"

namespace tonearm::api {
namespace {

namespace bj = boost::json;

/// A gate with the tokens "right" and "for the metrics", and its audit log.
struct Gate {
  test::FakeClock clock;
  native::OpensslHashing hashing;
  std::vector<bj::object> lines;
  AdminGate gate{clock, hashing, options()};

  ServiceOptions options() {
    ServiceOptions result;
    result.admin_token_hash = hashing.sha256("right");
    result.metrics_token_hash = hashing.sha256("for the metrics");
    result.write_audit_line = [this](std::string_view line) { lines.push_back(bj::parse(line).as_object()); };
    return result;
  }

  static RequestHead head(const std::string& token) {
    return {"DELETE", "/admin/keys/key_a", {{"Authorization", "Bearer " + token}}, "192.0.2.7"};
  }
  int refused_status(const std::string& token) {
    const auto refusal = gate.refuse(head(token));
    return refusal ? refusal->status : 0;
  }
};

TEST_CASE("ADMIN-7: a line of the audit log names the operator, action, time, origin and result, but never the token") {
  Gate gate;
  gate.gate.audit(Gate::head("right"),
                  {.method = "DELETE", .route = "/admin/keys/{key_id}", .subject = "key_a", .status = 200});
  REQUIRE(gate.lines.size() == 1);
  const auto& line = gate.lines.front();
  CHECK(line.at("time") == "2026-01-15T12:00:00Z");
  CHECK(line.at("from") == "192.0.2.7");
  CHECK(line.at("method") == "DELETE");
  CHECK(line.at("route") == "/admin/keys/{key_id}");
  CHECK(line.at("subject") == "key_a");
  CHECK(line.at("status") == 200);
  CHECK(line.at("token").as_string().size() == 8);
  CHECK(bj::serialize(line).find("right") == std::string::npos);
}

TEST_CASE(
    "ADMIN-8: wrong tokens are audited up to a bound, then answered 429 and counted; the right one passes all along") {
  Gate gate;
  for (int i = 0; i < 10; ++i) CHECK(gate.refused_status("wrong") == 401);
  CHECK(gate.lines.size() == 10);
  for (int i = 0; i < 90; ++i) CHECK(gate.refused_status("wrong") == 429);
  CHECK(gate.lines.size() == 10);
  CHECK(gate.refused_status("right") == 0);

  gate.clock.advance_ms(60'000);
  CHECK(gate.refused_status("wrong") == 401);
  REQUIRE(gate.lines.size() == 11);
  CHECK(gate.lines.back().at("wrong_tokens_before") == 90);
}

TEST_CASE("ADMIN-8: the answer 429 has the time until the next wrong token is checked") {
  Gate gate;
  gate.clock.advance_ms(18'500);
  for (int i = 0; i < 10; ++i) gate.gate.refuse(Gate::head("wrong"));
  const auto refusal = gate.gate.refuse(Gate::head("wrong"));
  REQUIRE(refusal.has_value());
  CHECK(*find_header(refusal->headers, "Retry-After") == "42");
}

TEST_CASE("ADMIN-5: the metrics token is valid only for the metrics, and the admin token for both") {
  Gate gate;
  CHECK(!gate.gate.refuse_metrics(Gate::head("for the metrics")).has_value());
  CHECK(!gate.gate.refuse_metrics(Gate::head("right")).has_value());
  CHECK(gate.refused_status("for the metrics") == 401);
  REQUIRE(gate.gate.refuse_metrics(Gate::head("wrong")).has_value());
  REQUIRE(gate.gate.refuse_metrics({"GET", "/metrics", {}}).has_value());
}

TEST_CASE("ADMIN-7: plain reads have no line of their own, and the next line gives their number") {
  Gate gate;
  for (int i = 0; i < 3; ++i) gate.gate.audit(Gate::head("right"), {.method = "GET", .is_plain_read = true});
  CHECK(gate.lines.empty());
  gate.gate.audit(Gate::head("right"), {.method = "DELETE", .status = 200});
  gate.gate.audit(Gate::head("right"), {.method = "DELETE", .status = 200});
  REQUIRE(gate.lines.size() == 2);
  CHECK(gate.lines.front().at("reads_before") == 3);
  CHECK(!gate.lines.back().contains("reads_before"));
}

TEST_CASE("ADMIN-7: client input cannot break a line of the audit log") {
  Gate gate;
  gate.gate.audit(Gate::head("x"), {.method = "GET", .subject = "a\nb\x1b[31m", .status = 404});
  CHECK(gate.lines.at(0).at("subject") == "ab[31m");
}

}  // namespace
}  // namespace tonearm::api
