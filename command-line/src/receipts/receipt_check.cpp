#include "receipts/receipt_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "output/json_values.h"
#include "releases/lower_hex.h"
#include "system/system_ports.h"
#include "table/receipt_answers.h"
#include "tonearm/ascii.h"
#include "tonearm/license_receipt.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

/// A receipt that proves nothing; the message says why.
class InvalidReceipt : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws if the receipt has other members than those of its format.
void check_members(const json::object& receipt) {
  const auto& fields = table::kReceiptType.fields;
  const bool are_all_there =
      std::ranges::all_of(fields, [&](const table::Field& field) { return receipt.contains(field.name); });
  if (!are_all_there || receipt.size() != fields.size()) throw InvalidReceipt("it has other members than a receipt");
  json::array untrusted;
  for (const table::Field& field : fields) {
    if (field.trust == table::Trust::untrusted) untrusted.emplace_back(field.name);
  }
  if (receipt.at(table::kUntrustedFields) != untrusted) throw InvalidReceipt("its untrusted_fields are wrong");
}

template <class Bytes>
Bytes fixed_bytes_of_hex(std::string_view hex, std::string_view name) {
  const auto fixed = native::array_of_lower_hex<Bytes>(hex);
  if (!fixed) throw InvalidReceipt(fmt::format("its {} is not {} bytes in hex", name, Bytes{}.size()));
  return *fixed;
}

std::vector<PathStep> path_of(const json::object& receipt) {
  const auto* path = find(receipt, {"path"});
  if (path == nullptr || !path->is_array()) throw InvalidReceipt("it has no path");
  std::vector<PathStep> steps;
  for (const json::value& value : path->get_array()) {
    if (!value.is_object() || value.get_object().size() != 2) throw InvalidReceipt("its path is malformed");
    const auto& step = value.get_object();
    const auto side = text_at(step, {"side"});
    if (side != "left" && side != "right") throw InvalidReceipt("its path has a node without a side");
    steps.push_back(
        {side == "left" ? Side::left : Side::right, fixed_bytes_of_hex<Sha256>(text_at(step, {"sha256"}), "path")});
  }
  return steps;
}

/// Returns what the signature proves. Throws if it is not that of a trusted key.
SignedFacts signed_facts(const json::object& receipt, const native::TrustedKeys& keys) {
  const auto id = text_at(receipt, {"key_id"});
  const auto key = keys.find(id);
  if (!key) throw InvalidReceipt("it names the key " + id + ", which is not the one of --key");
  const SignatureClaim claim{*key, fixed_bytes_of_hex<Signature>(text_at(receipt, {"signature"}), "signature"),
                             native::bytes_of_lower_hex(text_at(receipt, {"signed_message"})).value_or("")};
  if (!native::is_signed_by_own_key(claim)) throw InvalidReceipt("its signature does not match its signed message");
  auto facts = read_signed_facts(claim.message);
  if (!facts) throw InvalidReceipt("its signed message is not that of a catalog");
  return *std::move(facts);
}

void compare_with_signed(const json::object& receipt, std::string_view name, const std::string& signed_text) {
  if (text_at(receipt, {name}) != signed_text) {
    throw InvalidReceipt(fmt::format("its {} differs from the signed one", name));
  }
}

json::object record_of(const json::object& receipt, const SignedFacts& facts, Hashing& hashing) {
  const auto text = text_at(receipt, {"license_record_text"});
  if (path_root(leaf_hash(text, hashing), path_of(receipt), hashing) != facts.root) {
    throw InvalidReceipt("its license record does not lead to the signed root");
  }
  boost::system::error_code error;
  const auto record = json::parse(text, error);
  const auto* const stated = find(receipt, {"license_record"});
  if (error || !record.is_object() || stated == nullptr || *stated != record) {
    throw InvalidReceipt("its license_record differs from the text that is hashed");
  }
  if (has_repeated_names(text, record)) throw InvalidReceipt("its license record repeats the name of a member");
  if (text_at(record.get_object(), {"id"}) != text_at(receipt, {"track_id"})) {
    throw InvalidReceipt("its license record is that of another track");
  }
  return record.get_object();
}

/// What receipts are checked with.
struct Means {
  const native::TrustedKeys& keys;
  Hashing& hashing;
};

void check(const json::object& receipt, const Means& with, CheckedReceipt& checked) {
  if (text_at(receipt, {"format"}) != table::kReceiptFormat) throw InvalidReceipt("it is not a license receipt");
  if (number_at(receipt, {"version"}) != table::kReceiptVersion) {
    throw InvalidReceipt("it has a version that this program does not know");
  }
  check_members(receipt);
  const auto facts = signed_facts(receipt, with.keys);
  compare_with_signed(receipt, "catalog_version", facts.catalog_version);
  compare_with_signed(receipt, "signed_on", facts.signed_on);
  compare_with_signed(receipt, "root", ascii::to_hex(facts.root));
  checked.license_record = record_of(receipt, facts, with.hashing);
  checked.catalog_version = facts.catalog_version;
  checked.signed_on = facts.signed_on;
  checked.root = ascii::to_hex(facts.root);
  checked.key_id = text_at(receipt, {"key_id"});
}

std::optional<json::object> parsed(std::string_view text) {
  boost::system::error_code error;
  auto value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

CheckedReceipt checked(const std::optional<json::object>& receipt, std::string_view text, std::size_t line,
                       const Means& with) {
  CheckedReceipt result{.line = line};
  try {
    if (!receipt) throw InvalidReceipt("it is not a JSON object");
    if (has_repeated_names(text, *receipt)) throw InvalidReceipt("it repeats the name of a member");
    check(*receipt, with, result);
  } catch (const InvalidReceipt& reason) {
    result.reason = reason.what();
  }
  return result;
}

}  // namespace

std::vector<CheckedReceipt> check_receipts(std::string_view file, const native::TrustedKeys& keys) {
  native::OpensslHashing hashing;
  const Means with{keys, hashing};
  if (const auto whole = parsed(file)) return {checked(whole, file, 1, with)};
  std::vector<CheckedReceipt> results;
  bool has_receipts = false;
  for (std::size_t line = 1; !file.empty(); ++line) {
    const auto end = std::min(file.find('\n'), file.size());
    const auto text = file.substr(0, end);
    file.remove_prefix(std::min(end + 1, file.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto receipt = parsed(text);
    has_receipts = has_receipts || receipt.has_value();
    results.push_back(checked(receipt, text, line, with));
  }
  if (!has_receipts) return {CheckedReceipt{.line = 1, .reason = "the file is not JSON"}};
  return results;
}

std::string proof_of(const CheckedReceipt& receipt) {
  const auto text = [&](std::initializer_list<std::string_view> names) {
    return text_at(receipt.license_record, names);
  };
  // In quotes and escaped, so that a title cannot state a license.
  const auto quoted = [&](std::initializer_list<std::string_view> names) {
    return json::serialize(json::value(text(names)));
  };
  const auto artist = text({"artist"});
  const auto url = text({"license", "url"});
  const auto page = text({"source_page"});
  return fmt::format(
      "the catalog {}, signed on {} with the key {}, stated: the license of {}{} ({}) is {}{}, {}; credit is {}{}",
      receipt.catalog_version, receipt.signed_on, receipt.key_id, quoted({"title"}),
      artist.empty() ? std::string() : " by " + quoted({"artist"}), text({"id"}), text({"license", "name"}),
      url.empty() ? std::string() : " (" + url + ')', text({"license", "status"}), text({"attribution"}),
      page.empty() ? std::string() : "; source: " + page);
}

}  // namespace tonearm::cli
