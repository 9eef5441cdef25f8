#include "program/receipt_command.h"

#include <algorithm>
#include <boost/json.hpp>

#include "files/whole_file.h"
#include "receipts/log_check.h"
#include "receipts/receipt_check.h"
#include "releases/lower_hex.h"
#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

native::TrustedKeys read_keys(const std::string& path) {
  try {
    return native::TrustedKeys(path);
  } catch (const std::runtime_error& error) {
    throw SetupError(error.what());
  }
}

std::string read_file(const std::string& path) {
  auto file = native::file_bytes(path);
  if (file.empty()) throw SetupError(path + " cannot be read, or is empty");
  return file;
}

std::string_view verdict(bool is_valid) { return is_valid ? "yes" : "no"; }

/// The verdict and what it is about, as a line.
std::string verdict_line(const Screen& screen, bool is_valid, const std::string& text) {
  return colored(screen, is_valid ? Color::good : Color::bad, verdict(is_valid)) + ": " + terminal::line(text) + '\n';
}

std::string as_json(const std::vector<CheckedReceipt>& receipts, bool are_all_valid) {
  json::array results;
  results.reserve(receipts.size());
  for (const auto& receipt : receipts) {
    const bool is_valid = receipt.reason.empty();
    json::object result{{"line", receipt.line}, {"verdict", verdict(is_valid)}};
    if (is_valid) {
      result["proves"] = proof_of(receipt);
      result["catalog_version"] = receipt.catalog_version;
      result["signed_on"] = receipt.signed_on;
      result["key_id"] = receipt.key_id;
      result["license_record"] = receipt.license_record;
    } else {
      result["reason"] = receipt.reason;
    }
    results.emplace_back(std::move(result));
  }
  return json::serialize(json::object{{"verdict", verdict(are_all_valid)}, {"receipts", std::move(results)}});
}

std::string as_lines(const std::vector<CheckedReceipt>& receipts, const Screen& screen) {
  std::string lines;
  for (const auto& receipt : receipts) {
    const bool is_valid = receipt.reason.empty();
    if (receipts.size() > 1) lines += "line " + std::to_string(receipt.line) + ": ";
    lines += verdict_line(screen, is_valid, is_valid ? proof_of(receipt) : receipt.reason);
  }
  return lines;
}

std::string log_as_json(const CheckedLog& log) {
  json::object result{{"verdict", verdict(log.is_valid())}};
  if (!log.reason.empty()) {
    result["reason"] = log.reason;
    return json::serialize(result);
  }
  result["releases"] = log.releases;
  result["first_signed_on"] = log.first_signed_on;
  result["last_signed_on"] = log.last_signed_on;
  result["head"] = log.head;
  json::array receipts;
  for (const auto& receipt : log.receipts) {
    json::object one{{"line", receipt.line}, {"verdict", verdict(receipt.reason.empty())}};
    if (receipt.reason.empty()) {
      one["release"] = receipt.release;
    } else {
      one["reason"] = receipt.reason;
    }
    receipts.emplace_back(std::move(one));
  }
  result["receipts"] = std::move(receipts);
  return json::serialize(result);
}

std::string log_as_lines(const CheckedLog& log, const Screen& screen) {
  if (!log.reason.empty()) return verdict_line(screen, false, log.reason);
  std::string lines = verdict_line(screen, true,
                                   std::to_string(log.releases) + (log.releases == 1 ? " release" : " releases") +
                                       ", signed from " + log.first_signed_on + " to " + log.last_signed_on +
                                       "; keep the hash of the last line: " + log.head);
  for (const auto& receipt : log.receipts) {
    const bool is_valid = receipt.reason.empty();
    const auto text = is_valid ? "its catalog is release " + std::to_string(receipt.release) : receipt.reason;
    lines += "receipt on line " + std::to_string(receipt.line) + ": " + verdict_line(screen, is_valid, text);
  }
  return lines;
}

}  // namespace

ProofOutcome run_verify_log(const settings::Values& values, const Display& display) {
  const auto keys = read_keys(values.text("key"));
  LogExpectations expected{.head = values.text("head"), .receipts = {}};
  if (values.is_given("head") && !native::array_of_lower_hex<Sha256>(expected.head)) {
    values.refuse("head", "64 lower-case hex digits");
  }
  if (values.is_given("receipt")) expected.receipts = check_receipts(read_file(values.text("receipt")), keys);
  const auto log = check_log(read_file(values.text("FILE")), keys, expected);
  ProofOutcome outcome;
  outcome.are_all_valid = log.is_valid();
  outcome.data =
      display.output == Output::json ? terminal::lines(log_as_json(log)) + '\n' : log_as_lines(log, display.screen);
  return outcome;
}

ProofOutcome run_verify_receipt(const settings::Values& values, const Display& display) {
  const auto keys = read_keys(values.text("key"));
  const auto receipts = check_receipts(read_file(values.text("FILE")), keys);
  ProofOutcome outcome;
  outcome.are_all_valid =
      std::ranges::all_of(receipts, [](const CheckedReceipt& receipt) { return receipt.reason.empty(); });
  outcome.data = display.output == Output::json ? terminal::lines(as_json(receipts, outcome.are_all_valid)) + '\n'
                                                : as_lines(receipts, display.screen);
  return outcome;
}

}  // namespace tonearm::cli
