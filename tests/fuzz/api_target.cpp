#include "api_target.h"

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "canonical/check.h"
#include "canonical/json_line.h"
#include "case_file.h"
#include "core_host.h"
#include "http/response_head.h"
#include "memory_catalog.h"
#include "target.h"
#include "text/unicode.h"

namespace tonearm::fuzz {
namespace {

namespace json = boost::json;

constexpr const char* kCases = TONEARM_SOURCE_DIR "/tests/cases";

std::shared_ptr<const Catalog> catalog_of_cases() {
  std::ifstream file(std::string(kCases) + "/catalog.jsonl");
  std::vector<Track> tracks;
  builder::JsonLineParser parser(false);
  builder::KeyCounts unknown;
  for (std::string text; std::getline(file, text);) {
    auto line = parser.parse(text, unknown);
    if (!std::holds_alternative<builder::Line>(line)) continue;
    auto checked = builder::check(std::move(std::get<builder::Line>(line)), {});
    if (auto* candidate = std::get_if<builder::Candidate>(&checked)) tracks.push_back(std::move(candidate->track));
  }
  return test::make_memory_catalog(tracks);
}

class Api {
 public:
  Api() : host_({}, catalog()) {
    const auto account = json::value_to<std::string>(made("/admin/accounts", R"({"plan":"unlimited"})").at("account"));
    key_ = json::value_to<std::string>(made("/admin/accounts/" + account + "/keys", "{}").at("key"));
    collection_ = json::value_to<std::string>(made("/v1/collections", R"({"name":"Rain"})").at("id"));
    made("/v1/collections/" + collection_ + "/items", R"({"track":"os-101","note":"Intro"})");
  }

  Response answer(Request request) {
    if (++calls_ % kCallsPerFlush == 0) host_.service().flush();
    auto& head = request.head;
    if (const auto at = head.target.find("{c}"); at != std::string::npos) head.target.replace(at, 3, collection_);
    const bool is_admin = head.target.rfind("/admin", 0) == 0;
    head.headers.push_back({"Authorization", "Bearer " + (is_admin ? cases::Setup{}.admin_token : key_)});
    return is_admin ? host_.service().handle_admin(request) : host_.service().handle(request);
  }
  bool is_used_up() const { return calls_ >= kCallsPerState; }

 private:
  static constexpr int kCallsPerState = 5'000;
  static constexpr int kCallsPerFlush = 100;

  static std::shared_ptr<const Catalog> catalog() {
    static const auto kCatalog = catalog_of_cases();
    return kCatalog;
  }
  json::object made(const std::string& target, const std::string& body) {
    const auto response = answer({{"POST", target, {{"Content-Type", "application/json"}}}, body});
    require(response.status == 201, "the state of the target could not be made");
    return json::parse(response.text()).as_object();
  }

  cases::CoreHost host_;
  std::string key_;
  std::string collection_;
  int calls_ = 0;
};

bool is_json(const Headers& headers) {
  const auto* type = find_header(headers, "Content-Type");
  return type != nullptr && *type == "application/json";
}

void check_answer(const Response& response) {
  require(response.status >= 200 && response.status < 500, "an answer's status is not 2xx, 3xx or 4xx");
  require(text::is_utf8(response.text()), "an answer is not UTF-8");
  native::render_head(response, {"id", 0, 1, true});  // throws if a field would split the response
  if (!is_json(response.headers) || response.text().empty()) return;
  json::error_code error;
  const auto body = json::parse(std::string(response.text()), error);
  require(!error && body.is_object(), "a JSON answer is not an object");
  if (response.status >= 400)
    require(body.as_object().contains("error") || body.as_object().contains("jsonrpc"), "an error has no code");
}

}  // namespace

Response checked_answer(Request request) {
  static auto api = std::make_unique<Api>();
  if (api->is_used_up()) api = std::make_unique<Api>();
  auto response = api->answer(std::move(request));
  check_answer(response);
  return response;
}

Request read_request(std::string_view input) {
  const auto take = [&input](std::string_view separator) {
    const auto at = input.find(separator);
    const auto part = input.substr(0, at);
    input.remove_prefix(at == std::string_view::npos ? input.size() : at + separator.size());
    return part;
  };
  Request request;
  std::string_view line = take("\n");
  const auto space = std::min(line.find(' '), line.size());
  request.head.method = line.substr(0, space);
  request.head.target = space < line.size() ? line.substr(space + 1) : "/";
  for (line = take("\n"); !line.empty(); line = take("\n")) {
    const auto colon = std::min(line.find(": "), line.size());
    request.head.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(colon < line.size() ? line.substr(colon + 2) : "")});
  }
  request.body = input;
  return request;
}

std::string write_request(const Request& request) {
  std::string text = request.head.method + " " + request.head.target + "\n";
  for (const auto& header : request.head.headers) {
    text.append(header.name).append(": ").append(header.value).append("\n");
  }
  return text.append("\n").append(request.body);
}

std::vector<std::string> case_requests(bool (*wanted)(const Request& request)) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(kCases)) {
    if (entry.path().extension() != ".jsonl" || entry.path().filename() == "catalog.jsonl") continue;
    for (const auto& step : cases::read_case_file(entry.path().string()).steps) {
      Request request{{step.method, step.target, {}}, {}};
      for (const auto& [name, value] : step.headers) request.head.headers.push_back({name, value});
      if (const auto open = request.head.target.find('{'); open != std::string::npos) {
        const auto close = request.head.target.find('}', open);
        if (close != std::string::npos) request.head.target.replace(open, close + 1 - open, "{c}");
      }
      if (step.body)
        request.body = step.body->is_string() ? json::value_to<std::string>(*step.body) : json::serialize(*step.body);
      if (request.body.size() > 2'000 || !wanted(request)) continue;
      if (!request.body.empty() && find_header(request.head.headers, "Content-Type") == nullptr) {
        request.head.headers.push_back({"Content-Type", "application/json"});
      }
      found.insert(write_request(request));
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace tonearm::fuzz
