#pragma once
// API keys and the ids of accounts and keys (docs/spec/keys.md). Pure values; every function is thread-safe.
//
//   tonearm_ | 49 base62 digits: locator (8 bytes), MAC of the locator (8), random bytes (20) | CRC-32, 6 base62 digits
//
// The locator names an account's shard. Ids contain it too, so a key or an id is enough to find the shard:
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

/// Returns the locator in a key without checking its MAC. Returns nothing for a malformed or damaged key (KEY-2).
std::optional<Locator> unverified_locator(std::string_view key);

/// Returns the locator of a key of this deployment. Returns nothing for a malformed or damaged key and for a key that
/// was not made with `secret`: none of these needs a look-up (KEY-2, KEY-3). Does not check whether the key is active.
std::optional<Locator> verify_api_key(Hashing& hashing, std::string_view secret, std::string_view key);

/// The two kinds of keys, which have different id prefixes.
enum class KeyKind : std::uint8_t { key, session };

inline constexpr std::uint32_t kSessionSecondsMax = 43'200;  // KEY-9

std::string make_account_id(const Locator& locator);
std::string make_key_id(KeyKind kind, const Locator& locator, std::span<const std::uint8_t, kKeyIdRandomBytes> random);

/// Return the locator in an account's id, or in the id of a key or session key; nothing if the id is malformed.
std::optional<Locator> parse_account_id(std::string_view id);
std::optional<Locator> parse_key_id(std::string_view id);

/// The error for a key that is unknown, revoked, expired or malformed. All of them get the same text, so that a client
/// learns nothing about keys that it guesses.
Error invalid_key_error();

/// Compares in a time that depends on the lengths only.
bool equal_in_constant_time(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right);

}  // namespace tonearm
