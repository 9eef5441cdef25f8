#include "releases/release_log.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "releases/lower_hex.h"
#include "system/signing_keys.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

namespace json = boost::json;

/// Returns the line, without its end, of a signed snapshot. Every reader compares with these bytes, so a line has one
/// form.
std::string line_of(std::size_t number, std::string_view previous, const LoggedRelease& release) {
  return json::serialize(json::object{{"release", number},
                                      {"previous", previous},
                                      {"catalog_version", release.facts.catalog_version},
                                      {"signed_on", release.facts.signed_on},
                                      {"root", ascii::to_hex(release.facts.root)},
                                      {"key_id", release.key_id},
                                      {"signed_message", ascii::to_hex(release.signed_message)},
                                      {"signature", ascii::to_hex(release.signature)}});
}

std::string_view text_at(const json::object& line, std::string_view name) {
  const auto* const value = line.if_contains(name);
  if (value == nullptr || !value->is_string()) throw Failure(fmt::format("has no text {}", name));
  return value->get_string();
}

LoggedRelease release_of(std::string key_id, std::string message, const Signature& signature) {
  auto facts = read_signed_facts(message);
  if (!facts) throw Failure("has a signed message that is not that of a catalog");
  return {{}, std::move(key_id), *std::move(facts), std::move(message), signature};
}

}  // namespace

ReleaseLog::ReleaseLog(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    try {
      if (end == std::string_view::npos) throw Failure("is incomplete: it has no line feed");
      read_line(text.substr(0, end));
    } catch (const Failure& failure) {
      throw Failure(fmt::format("line {} {}", releases_.size() + 1, failure.what()));
    }
    text.remove_prefix(end + 1);
  }
}

void ReleaseLog::read_line(std::string_view line) {
  boost::system::error_code error;
  const auto value = json::parse(json::string_view(line.data(), line.size()), error);
  if (error || !value.is_object()) throw Failure("is not a JSON object");
  const auto& object = value.get_object();
  const auto message = bytes_of_lower_hex(text_at(object, "signed_message"));
  const auto signature = array_of_lower_hex<Signature>(text_at(object, "signature"));
  if (!message || !signature) throw Failure("has a signed message or a signature that is not hex");
  auto release = release_of(std::string(text_at(object, "key_id")), *message, *signature);
  if (text_at(object, "previous") != head()) throw Failure("does not follow the line before it");
  if (line != line_of(releases_.size() + 1, head(), release)) {
    throw Failure("differs from its signed message, or has another form");
  }
  release.hash = ascii::to_hex(hashing_.sha256(line));
  releases_.push_back(std::move(release));
}

std::string ReleaseLog::append(const SignatureClaim& claim) {
  const auto release = release_of(key_id(claim.public_key), claim.message, claim.signature);
  const auto line = line_of(releases_.size() + 1, head(), release);
  read_line(line);
  return line + '\n';
}

}  // namespace tonearm::native
