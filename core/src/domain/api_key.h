#pragma once
// API keys and the ids of accounts and keys (docs/spec/keys.md). Pure values; every function is thread-safe.
//
//   tonearm_ | 49 base62 digits: locator (8 bytes), MAC of the locator (8), random bytes (20) | CRC-32, 6 base62 digits
//
// The locator names an account's shard. Ids hold it too, so whoever has a key or an id knows where to ask:
//   acc_ | base32(locator)      key_, ses_ | base32(locator, 5 random bytes)

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tonearm/ports.h"
#include "tonearm/result.h"

namespace tonearm {

using Locator = std::array<std::uint8_t, 8>;

inline constexpr std::string_view kKeyPrefix = "tonearm_";
inline constexpr std::size_t kKeyRandomBytes = 20;
inline constexpr std::size_t kKeyIdRandomBytes = 5;
/// Every key has this length: prefix, payload, checksum.
inline constexpr std::size_t kKeyLength = 8 + 49 + 6;

std::string make_api_key(Hashing& hashing, std::string_view secret, const Locator& locator,
                         std::span<const std::uint8_t, kKeyRandomBytes> random);

/// The locator that a key names, whoever made it. Empty for a text of another shape and a damaged key (KEY-2).
std::optional<Locator> named_locator(std::string_view key);

/// The locator of a key of this deployment. Empty for a text of another shape, a damaged key, and a key that was not
/// made under `secret`: none of these needs a look-up (KEY-2, KEY-3). Says nothing of whether the key is in force.
std::optional<Locator> locate_api_key(Hashing& hashing, std::string_view secret, std::string_view key);

/// The ids' two kinds of key.
enum class KeyKind : std::uint8_t { key, session };

inline constexpr std::uint32_t kSessionSecondsMax = 43'200;  // KEY-9

std::string make_account_id(const Locator& locator);
std::string make_key_id(KeyKind kind, const Locator& locator, std::span<const std::uint8_t, kKeyIdRandomBytes> random);

/// The locator in an id; empty where it is no account's id, or no key's or session's id.
std::optional<Locator> locate_account_id(std::string_view id);
std::optional<Locator> locate_key_id(std::string_view id);

/// The error for a key that is unknown, revoked, expired or malformed. All of them get the same text, so that a client
/// learns nothing about keys that it guesses.
Error invalid_key_error();

/// Compares in a time that depends on the lengths only.
bool equal_in_constant_time(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right);

}  // namespace tonearm
