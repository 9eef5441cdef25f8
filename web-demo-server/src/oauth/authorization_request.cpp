#include "oauth/authorization_request.h"

#include <algorithm>
#include <utility>

#include "text/base64.h"
#include "text/percent.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kStateBytesMax = 2'000;
constexpr std::size_t kChallengeDigits = 43;  // 32 bytes in base64url without padding
constexpr std::size_t kVerifierBytesMin = 43;
constexpr std::size_t kVerifierBytesMax = 128;

bool is_challenge(std::string_view text) {
  const auto is_digit = [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_'; };
  return text.size() == kChallengeDigits && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

std::optional<OauthParameters> OauthParameters::parse(std::string_view form) {
  auto fields = text::parse_form(form);
  if (!fields) return std::nullopt;
  OauthParameters parameters;
  parameters.values_ = *std::move(fields);
  return parameters;
}

const std::string& OauthParameters::get(std::string_view name) const {
  static const std::string none;
  const auto found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

std::optional<OauthError> authorization_error(const OauthParameters& parameters, std::string_view resource) {
  if (parameters.get("response_type") != "code") {
    return OauthError{"unsupported_response_type", "response_type must be code"};
  }
  const auto& mode = parameters.get("response_mode");
  if (!mode.empty() && mode != "query") return OauthError{"invalid_request", "response_mode must be query"};
  if (parameters.get("state").size() > kStateBytesMax) {
    return OauthError{"invalid_request", "state has at most 2000 bytes"};
  }
  if (parameters.get("code_challenge_method") != "S256") {
    return OauthError{"invalid_request", "code_challenge_method must be S256"};
  }
  if (!is_challenge(parameters.get("code_challenge"))) {
    return OauthError{"invalid_request", "code_challenge must be a SHA-256 in base64url without padding"};
  }
  return resource_error(parameters, resource);
}

std::optional<OauthError> resource_error(const OauthParameters& parameters, std::string_view resource) {
  const auto& given = parameters.get("resource");
  if (given.empty() || given == resource) return std::nullopt;
  return OauthError{"invalid_target", "this server issues tokens for another resource"};
}

bool is_verifier_of(Hashing& hashing, std::string_view verifier, std::string_view challenge) {
  const bool is_verifier = verifier.size() >= kVerifierBytesMin && verifier.size() <= kVerifierBytesMax &&
                           std::all_of(verifier.begin(), verifier.end(), text::is_unreserved);
  const auto expected = text::decode_base64(challenge);
  if (!is_verifier || !expected) return false;
  const auto hash = hashing.sha256(verifier);
  return std::equal(hash.begin(), hash.end(), expected->begin(), expected->end());
}

}  // namespace tonearm::web
