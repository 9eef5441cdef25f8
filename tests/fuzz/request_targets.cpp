// Query strings, bodies and messages of MCP: whole requests to the API. Cursors: the decoded value of that parameter.

#include <array>

#include "api_target.h"
#include "target.h"
#include "text/percent.h"

namespace tonearm::fuzz {
namespace {

bool is_mcp(const Request& request) { return request.head.target == "/mcp"; }
bool is_query(const Request& request) { return request.head.method == "GET" && !is_mcp(request); }
bool is_write(const Request& request) { return !request.body.empty() && !is_mcp(request); }

void run_request(std::string_view input) { checked_answer(read_request(input)); }

void run_message(std::string_view input) {
  auto request = read_request(input);
  request.head.method = "POST";
  request.head.target = "/mcp";
  checked_answer(std::move(request));
}

/// Every route whose answers are pages.
constexpr std::array<std::string_view, 10> kPaged{"/v1/search?kind=music&",
                                                  "/v1/search?kind=music&sort=shuffle&seed=a&",
                                                  "/v1/tracks/os-101/similar?",
                                                  "/v1/collections/{c}/similar?",
                                                  "/v1/license-changes?",
                                                  "/v1/changes?since=x&",
                                                  "/v1/export?",
                                                  "/v1/search?kind=sfx&sort=shortest&",
                                                  "/admin/accounts?",
                                                  "/admin/accounts/acc_0/export/collections?"};

std::vector<std::string> cursor_seeds() {
  return {"20",  "0",   "999999999", "1768478400000-acc_0123456789abc", "col_0123456789abcdef", "-1",
          "1e3", " 20", "\xc3\x28"};
}

void run_cursor(std::string_view input) {
  const std::string value = text::encode_percent(input);
  for (const auto path : kPaged) {
    checked_answer({{"GET", std::string(path) + "cursor=" + value, {}}, {}});
  }
}

}  // namespace

const Target kQuery{"query", [] { return case_requests(is_query); }, run_request};
const Target kBody{"body", [] { return case_requests(is_write); }, run_request};
const Target kMcp{"mcp", [] { return case_requests(is_mcp); }, run_message};
const Target kCursor{"cursor", cursor_seeds, run_cursor};

}  // namespace tonearm::fuzz
