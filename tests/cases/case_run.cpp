#include "case_run.h"

#include <algorithm>

#include "answer_check.h"
#include "json/writer.h"

namespace tonearm::cases {
namespace {

/// The prefix of a header's name in `capture`, instead of a JSON pointer.
constexpr std::string_view kHeaderMark = "header:";

bool is_json(const std::string& text) {
  boost::json::error_code error;
  boost::json::parse(text, error);
  return !error;
}

/// Replaces captured values by their names.
std::string with_names(std::string text, const Captures& captures) {
  constexpr std::size_t kDistinctBytes = 8;  // shorter values may occur by chance
  for (const auto& [name, value] : captures) {
    if (value.size() < kDistinctBytes) continue;
    for (auto at = text.find(value); at != std::string::npos; at = text.find(value, at)) {
      text.replace(at, value.size(), '{' + name + '}');
    }
  }
  return text;
}

}  // namespace

CaseRun::CaseRun(const CaseFile& file, std::shared_ptr<const Catalog> catalog, const Reports& reports)
    : file_(file), reports_(reports), host_(setup_, file.with_catalog ? std::move(catalog) : nullptr) {
  if (reports_.transcript != nullptr) reports_.transcript->begin(file.name, file.with_catalog, setup_);
}

Outcome CaseRun::run() {
  Outcome outcome;
  for (const auto& step : file_.steps) {
    if (run_step(step)) {
      ++outcome.passed;
    } else {
      ++outcome.failed;
    }
  }
  return outcome;
}

bool CaseRun::run_step(const Step& step) {
  constexpr std::int64_t kSecondMs = 1000;
  host_.advance_ms(step.advance_s * kSecondMs);
  pending_advance_ms_ += step.advance_s * kSecondMs;
  const auto request = request_of(step);
  const auto response = exchange({step.line, step.admin, 0}, request);
  const bool captured = capture(step, response);
  auto expect = step.expect;
  if (expect.body) expect.body = fill_in(*expect.body, captures_);
  for (auto& [name, value] : expect.headers) {
    if (value) value = fill_in(*value, captures_);
  }
  const auto found = mismatches(response, expect);
  for (const auto& mismatch : found) {
    reports_.mismatches << file_.name << ':' << step.line << ": " << request.head.method << ' ' << request.head.target
                        << ": " << mismatch << '\n';
  }
  record(step, response);
  return found.empty() && captured;
}

Request CaseRun::request_of(const Step& step) {
  Request request;
  auto& head = request.head;
  if (!step.name.empty()) head.headers.push_back({"Authorization", "Bearer " + key_of(step)});
  head.method = step.method;
  head.target = fill_in(step.target, captures_);
  for (const auto& [name, value] : step.headers) head.headers.push_back({name, fill_in(value, captures_)});
  if (step.admin && find_header(head.headers, "Authorization") == nullptr) {
    head.headers.push_back({"Authorization", "Bearer " + setup_.admin_token});
  }
  if (!step.body) return request;
  const auto body = fill_in(*step.body, captures_);
  if (body.is_string()) {
    request.body = boost::json::value_to<std::string>(body);
    return request;
  }
  request.body = boost::json::serialize(body);
  if (find_header(head.headers, "Content-Type") == nullptr) {
    head.headers.push_back({"Content-Type", "application/json"});
  }
  return request;
}

std::string CaseRun::key_of(const Step& step) {
  const auto known = captures_.find(step.name + ".key");
  if (known != captures_.end()) return known->second;
  const auto account = create(step.line, "/admin/accounts", R"({"plan":")" + step.plan + R"("})").at("account");
  captures_[step.name] = boost::json::value_to<std::string>(account);
  const auto made = create(step.line, "/admin/accounts/" + captures_[step.name] + "/keys", "{}");
  captures_[step.name + ".key_id"] = boost::json::value_to<std::string>(made.at("key_id"));
  return captures_[step.name + ".key"] = boost::json::value_to<std::string>(made.at("key"));
}

boost::json::object CaseRun::create(int line, const std::string& target, const std::string& body) {
  const Headers headers{{"Authorization", "Bearer " + setup_.admin_token}, {"Content-Type", "application/json"}};
  const auto response = exchange({line, true, 0}, {{"POST", target, headers}, body});
  if (response.status != 201) {
    throw CaseFileError(file_.name + ':' + std::to_string(line) + ": POST " + target + " answered " + response.body);
  }
  return boost::json::parse(response.body).as_object();
}

Response CaseRun::exchange(const Transcript::Exchange& exchange, const Request& request) {
  auto& service = host_.service();
  auto response = exchange.admin ? service.handle_admin(request) : service.handle(request);
  if (request.head.method == "HEAD") response.body.clear();  // as every host does
  if (reports_.transcript != nullptr) {
    reports_.transcript->add({exchange.line, exchange.admin, pending_advance_ms_}, request, response);
  }
  pending_advance_ms_ = 0;
  return response;
}

bool CaseRun::capture(const Step& step, const Response& response) {
  if (step.capture.empty()) return true;
  bool all = true;
  boost::json::error_code error;
  const auto body = boost::json::parse(response.body, error);
  for (const auto& [name, pointer] : step.capture) {
    if (pointer.starts_with(kHeaderMark)) {
      const auto* header = find_header(response.headers, std::string_view(pointer).substr(kHeaderMark.size()));
      if (header == nullptr) {
        all = is_optional_capture(step, pointer) && all;
      } else {
        captures_[name] = *header;
      }
      continue;
    }
    boost::json::error_code missing = error;
    const auto* value = error ? nullptr : body.find_pointer(pointer, missing);
    if (value == nullptr) {
      all = is_optional_capture(step, pointer) && all;
    } else {
      captures_[name] =
          value->is_string() ? boost::json::value_to<std::string>(*value) : boost::json::serialize(*value);
    }
  }
  return all;
}

bool CaseRun::is_optional_capture(const Step& step, const std::string& pointer) const {
  if (file_.captures_are_optional) return true;
  reports_.mismatches << file_.name << ':' << step.line << ": nothing to capture at " << pointer << '\n';
  return false;
}

void CaseRun::record(const Step& step, const Response& response) const {
  if (reports_.record == nullptr) return;
  json::Writer out;
  out.begin_object();
  out.key("status");
  out.integer(response.status);
  out.key("headers");
  out.begin_object();
  for (const auto& [name, value] : response.headers) {
    out.key(name);
    out.string(value);
  }
  out.end_object();
  out.key("body");
  if (is_json(response.body)) {
    out.raw(response.body);
  } else {
    out.string(response.body);
  }
  out.end_object();
  auto members = step.source;
  members.erase("expect");
  auto line = boost::json::serialize(members);
  line.pop_back();
  *reports_.record << line << R"(,"expect":)" << with_names(out.take(), captures_) << "}\n";
}

}  // namespace tonearm::cases
