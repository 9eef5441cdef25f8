#include "routes/sessions.h"

#include <algorithm>
#include <array>

#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kCsrfDigits = 32;
constexpr std::int64_t kSessionS = 30LL * 86'400;
constexpr std::int64_t kDeviceS = 365LL * 86'400;
constexpr std::int64_t kSecondMs = 1'000;

/// Over https, the prefix makes browsers accept the cookie only from this host over https (RFC 6265bis, 4.1.3.2).
std::string cookie_name(std::string_view name, Transport transport) {
  return (transport == Transport::secure ? "__Host-tonearm_" : "tonearm_") + std::string(name);
}

std::optional<std::string> token_in(const RequestHead& head, std::string_view name, Transport transport) {
  auto token = cookie(head.headers, cookie_name(name, transport));
  return token && Sessions::is_token(*token) ? token : std::nullopt;
}

}  // namespace

bool Sessions::is_token(std::string_view text) {
  const auto is_digit = [](char c) { return ascii::hex_value(c) >= 0 && !ascii::is_upper(c); };
  return text.size() == 2 * kTokenBytes && std::all_of(text.begin(), text.end(), is_digit);
}

std::optional<std::string> Sessions::token_of(const RequestHead& head, Transport transport) {
  return token_in(head, "session", transport);
}

std::string Sessions::new_token() const {
  std::array<std::uint8_t, kTokenBytes> bytes{};
  random_.fill(bytes);
  return ascii::to_hex(bytes);
}

std::string Sessions::hash(std::string_view purpose, std::string_view token) const {
  return ascii::to_hex(hashing_.sha256(std::string(purpose) + ' ' + std::string(token)));
}

std::string Sessions::csrf_of(const std::string& token) const { return hash("csrf", token).substr(0, kCsrfDigits); }

bool Sessions::has_csrf(const RequestHead& head, Transport transport) const {
  const auto token = token_of(head, transport);
  const auto* given = find_header(head.headers, "X-CSRF-Token");
  if (!token || given == nullptr) return false;
  // Compares hashes, so that timing reveals nothing about the token.
  return hashing_.sha256(*given) == hashing_.sha256(csrf_of(*token));
}

std::optional<Sessions::SignedIn> Sessions::find(const RequestHead& head, Transport transport) const {
  const auto token = token_of(head, transport);
  if (!token) return std::nullopt;
  auto session_id = hash("session", *token);
  auto person = people_.find_session(session_id, clock_.now_ms());
  if (!person) return std::nullopt;
  return SignedIn{*std::move(person), std::move(session_id)};
}

Sessions::Issued Sessions::issue_anonymous(Transport transport) const {
  auto token = new_token();
  Headers cookies{{"Set-Cookie", set_cookie(cookie_name("session", transport), token, kSessionS, transport)}};
  return {std::move(token), std::move(cookies)};
}

std::optional<Sessions::Issued> Sessions::start(const RequestHead& head, const Person& person, Transport transport) {
  auto issued = issue_anonymous(transport);
  const auto now_ms = clock_.now_ms();
  NewSession session{hash("session", issued.token), now_ms + kSessionS * kSecondMs};
  if (!known_device(head, person.name, transport)) {
    const auto device = new_token();
    session.device_hash = hash("device", device);
    session.device_expires_ms = now_ms + kDeviceS * kSecondMs;
    issued.cookies.push_back({"Set-Cookie", set_cookie(cookie_name("device", transport), device, kDeviceS, transport)});
  }
  auto ended = people_.add_session(person, session, now_ms);
  if (!ended) return std::nullopt;
  issued.ended = *std::move(ended);
  return issued;
}

void Sessions::end(const std::string& session_id) { people_.remove_session(session_id); }

std::optional<std::string> Sessions::known_device(const RequestHead& head, std::string_view name,
                                                  Transport transport) const {
  const auto token = token_in(head, "device", transport);
  if (!token) return std::nullopt;
  auto device = hash("device", *token);
  if (!people_.is_device_of(device, name, clock_.now_ms())) return std::nullopt;
  return device;
}

}  // namespace tonearm::web
