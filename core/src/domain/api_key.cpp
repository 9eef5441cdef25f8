#include "domain/api_key.h"

#include <algorithm>
#include <tuple>

namespace tonearm {

namespace {

constexpr std::string_view kBase62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase32 = "abcdefghijklmnopqrstuvwxyz234567";

constexpr std::size_t kMacBytes = 8;
constexpr std::size_t kPayloadBytes = std::tuple_size_v<Locator> + kMacBytes + kKeyRandomBytes;
constexpr std::size_t kPayloadDigits = 49;  // the minimum for 288 bits
constexpr std::size_t kChecksumDigits = 6;
static_assert(kKeyLength == kKeyPrefix.size() + kPayloadDigits + kChecksumDigits);

using Payload = std::array<std::uint8_t, kPayloadBytes>;
using Mac = std::array<std::uint8_t, kMacBytes>;
/// The value of each byte as a digit of an alphabet; -1: not a digit.
using DigitTable = std::array<std::int8_t, 256>;

constexpr DigitTable digit_table(std::string_view alphabet) {
  DigitTable table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t index = 0; index < alphabet.size(); ++index) {
    table[static_cast<unsigned char>(alphabet[index])] = static_cast<std::int8_t>(index);
  }
  return table;
}
constexpr DigitTable kBase62Digits = digit_table(kBase62);
constexpr DigitTable kBase32Digits = digit_table(kBase32);

constexpr int digit_of(const DigitTable& table, char character) { return table[static_cast<unsigned char>(character)]; }

/// CRC-32 as in zlib: polynomial 0x04c11db7, reflected.
constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xedb88320U : 0U);
    table[byte] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

constexpr std::uint32_t crc32(std::string_view text) {
  std::uint32_t value = 0xffffffffU;
  for (const char character : text) {
    value = (value >> 8U) ^ kCrcTable[(value ^ static_cast<unsigned char>(character)) & 0xffU];
  }
  return ~value;
}
static_assert(crc32("123456789") == 0xcbf43926U);

/// Writes a number, most significant byte first, as base62 digits of fixed length.
std::string to_base62(Payload number) {
  std::string digits(kPayloadDigits, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    std::uint32_t remainder = 0;
    for (auto& byte : number) {
      const std::uint32_t value = (remainder << 8U) | byte;
      byte = static_cast<std::uint8_t>(value / 62);
      remainder = value % 62;
    }
    *digit = kBase62[remainder];
  }
  return digits;
}

/// Returns nothing if the number does not fit a payload. REQUIRES: base62 digits.
std::optional<Payload> from_base62(std::string_view digits) {
  // Runs for every call, so it reads five digits (below 2^30) and writes four bytes at a time.
  constexpr std::size_t kGroup = 5;
  std::array<std::uint32_t, kPayloadBytes / 4> limbs{};  // least significant first
  for (std::size_t at = 0; at < digits.size(); at += kGroup) {
    std::uint64_t carry = 0;
    std::uint64_t scale = 1;
    for (const char character : digits.substr(at, kGroup)) {
      carry = carry * 62 + static_cast<std::uint64_t>(digit_of(kBase62Digits, character));
      scale *= 62;
    }
    for (auto& limb : limbs) {
      carry += limb * scale;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    if (carry != 0) return std::nullopt;
  }
  Payload number;
  for (std::size_t index = 0; index < number.size(); ++index) {
    const std::size_t significance = number.size() - 1 - index;
    number[index] = static_cast<std::uint8_t>(limbs[significance / 4] >> (8 * (significance % 4)));
  }
  return number;
}
static_assert(kPayloadBytes % 4 == 0);

std::string checksum_digits(std::string_view before) {
  std::uint32_t value = crc32(before);
  std::string digits(kChecksumDigits, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    *digit = kBase62[value % 62];
    value /= 62;
  }
  return digits;
}

/// KEY-3: a locator cannot be put into a key without the secret.
Mac locator_mac(Hashing& hashing, std::string_view secret, const Locator& locator) {
  std::string message = "key";
  message.append(locator.begin(), locator.end());
  const Sha256 whole = hashing.hmac_sha256(secret, message);
  Mac mac;
  std::copy_n(whole.begin(), mac.size(), mac.begin());
  return mac;
}

constexpr std::size_t base32_length(std::size_t bytes) { return (bytes * 8 + 4) / 5; }

/// REQUIRES: the bits of `bytes` do not end with a digit.
void append_base32(std::string& out, std::span<const std::uint8_t> bytes) {
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (const std::uint8_t byte : bytes) {
    pending = (pending << 8U) | byte;
    pending_bits += 8;
    for (; pending_bits >= 5; pending_bits -= 5) out += kBase32[(pending >> (pending_bits - 5)) & 31U];
  }
  out += kBase32[(pending << (5 - pending_bits)) & 31U];
}

/// Accepts only the text that `append_base32` writes, because ids are compared as bytes (QUERY-8).
bool read_base32(std::string_view text, std::span<std::uint8_t> out) {
  if (text.size() != base32_length(out.size())) return false;
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  std::size_t written = 0;
  for (const char character : text) {
    const int digit = digit_of(kBase32Digits, character);
    if (digit < 0) return false;
    pending = (pending << 5U) | static_cast<std::uint32_t>(digit);
    pending_bits += 5;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      out[written++] = static_cast<std::uint8_t>(pending >> pending_bits);
      pending &= (1U << pending_bits) - 1;
    }
  }
  return pending == 0;
}

constexpr std::string_view kAccountPrefix = "acc_";
constexpr std::string_view key_id_prefix(KeyKind kind) { return kind == KeyKind::session ? "ses_" : "key_"; }

}  // namespace

std::string make_api_key(Hashing& hashing, std::string_view secret, const Locator& locator,
                         std::span<const std::uint8_t, kKeyRandomBytes> random) {
  const Mac mac = locator_mac(hashing, secret, locator);
  Payload payload;
  auto end = std::copy(locator.begin(), locator.end(), payload.begin());
  end = std::copy(mac.begin(), mac.end(), end);
  std::copy(random.begin(), random.end(), end);
  std::string key(kKeyPrefix);
  key += to_base62(payload);
  return key + checksum_digits(key);
}

namespace {

std::optional<Payload> read_payload(std::string_view key) {
  if (key.size() != kKeyLength || !key.starts_with(kKeyPrefix)) return std::nullopt;
  const std::string_view digits = key.substr(kKeyPrefix.size());
  const auto is_digit = [](char character) { return digit_of(kBase62Digits, character) >= 0; };
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  const std::string_view checked = key.substr(0, kKeyLength - kChecksumDigits);
  if (checksum_digits(checked) != key.substr(checked.size())) return std::nullopt;
  return from_base62(digits.substr(0, kPayloadDigits));
}

Locator locator_of(const Payload& payload) {
  Locator locator;
  std::copy_n(payload.begin(), locator.size(), locator.begin());
  return locator;
}

}  // namespace

std::optional<Locator> unverified_locator(std::string_view key) {
  const std::optional<Payload> payload = read_payload(key);
  if (!payload) return std::nullopt;
  return locator_of(*payload);
}

std::optional<Locator> verify_api_key(Hashing& hashing, std::string_view secret, std::string_view key) {
  const std::optional<Payload> payload = read_payload(key);
  if (!payload) return std::nullopt;
  const Locator locator = locator_of(*payload);
  const Mac expected = locator_mac(hashing, secret, locator);
  const auto presented = std::span(*payload).subspan(locator.size(), kMacBytes);
  if (!equal_in_constant_time(expected, presented)) return std::nullopt;
  return locator;
}

std::string make_account_id(const Locator& locator) {
  std::string id(kAccountPrefix);
  append_base32(id, locator);
  return id;
}

std::string make_key_id(KeyKind kind, const Locator& locator, std::span<const std::uint8_t, kKeyIdRandomBytes> random) {
  std::array<std::uint8_t, std::tuple_size_v<Locator> + kKeyIdRandomBytes> bytes;
  std::copy(random.begin(), random.end(), std::copy(locator.begin(), locator.end(), bytes.begin()));
  std::string id(key_id_prefix(kind));
  append_base32(id, bytes);
  return id;
}

std::optional<Locator> parse_account_id(std::string_view id) {
  Locator locator;
  if (!id.starts_with(kAccountPrefix) || !read_base32(id.substr(kAccountPrefix.size()), locator)) return std::nullopt;
  return locator;
}

std::optional<Locator> parse_key_id(std::string_view id) {
  const bool known = id.starts_with(key_id_prefix(KeyKind::key)) || id.starts_with(key_id_prefix(KeyKind::session));
  std::array<std::uint8_t, std::tuple_size_v<Locator> + kKeyIdRandomBytes> bytes;
  if (!known || !read_base32(id.substr(key_id_prefix(KeyKind::key).size()), bytes)) return std::nullopt;
  Locator locator;
  std::copy_n(bytes.begin(), locator.size(), locator.begin());
  return locator;
}

Error invalid_key_error() { return {ErrorCode::invalid_api_key, "The API key is invalid or revoked."}; }

bool equal_in_constant_time(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right) {
  if (left.size() != right.size()) return false;
  std::uint32_t difference = 0;
  for (std::size_t index = 0; index < left.size(); ++index) {
    difference |= static_cast<std::uint32_t>(left[index] ^ right[index]);
  }
  return difference == 0;
}

}  // namespace tonearm
