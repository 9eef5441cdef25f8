#include "program/receipt_command.h"

#include <algorithm>
#include <boost/json.hpp>

#include "files/whole_file.h"
#include "receipts/receipt_check.h"
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

std::string_view verdict(bool is_valid) { return is_valid ? "yes" : "no"; }

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
    lines += colored(screen, is_valid ? Color::good : Color::bad, verdict(is_valid)) + ": " +
             terminal::line(is_valid ? proof_of(receipt) : receipt.reason) + '\n';
  }
  return lines;
}

}  // namespace

ReceiptOutcome run_verify_receipt(const settings::Values& values, const Display& display) {
  const auto keys = read_keys(values.text("key"));
  const auto path = values.text("FILE");
  const auto file = native::file_bytes(path);
  if (file.empty()) throw SetupError(path + " cannot be read, or is empty");
  const auto receipts = check_receipts(file, keys);
  ReceiptOutcome outcome;
  outcome.are_all_valid =
      std::ranges::all_of(receipts, [](const CheckedReceipt& receipt) { return receipt.reason.empty(); });
  outcome.data = display.output == Output::json ? terminal::lines(as_json(receipts, outcome.are_all_valid)) + '\n'
                                                : as_lines(receipts, display.screen);
  return outcome;
}

}  // namespace tonearm::cli
