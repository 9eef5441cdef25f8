#include "public_web/public_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace tonearm::public_web {
namespace {

// https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast
constexpr std::array<std::string_view, 16> kSpecialV4{
    "0.0.0.0/8",       "10.0.0.0/8",    "100.64.0.0/10",   "127.0.0.0/8",     "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24",    "192.0.2.0/24",  "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
    "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
};
constexpr std::string_view kMulticastAndReservedV4 = "224.0.0.0/3";

// Global unicast is 2000::/3, except these blocks of https://www.iana.org/assignments/iana-ipv6-special-registry.
constexpr std::string_view kGlobalV6 = "2000::/3";
constexpr std::array<std::string_view, 4> kSpecialV6{"2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"};

/// IPv6 blocks that embed an IPv4 address, and its offset in bytes.
struct Embedding {
  std::string_view block;
  std::size_t offset;
};
constexpr std::array<Embedding, 3> kEmbeddings{{{"::ffff:0:0/96", 12}, {"64:ff9b::/96", 12}, {"2002::/16", 2}}};

bool contains(const AddressBlock& block, std::string_view bytes) {
  if (block.bytes.size() != bytes.size()) return false;
  const std::size_t whole = block.prefix_length / 8;
  if (block.bytes.compare(0, whole, bytes.substr(0, whole)) != 0) return false;
  const unsigned rest = block.prefix_length % 8;
  if (rest == 0) return true;
  const unsigned mask = 0xffU << (8 - rest);
  return ((static_cast<unsigned char>(block.bytes[whole]) ^ static_cast<unsigned char>(bytes[whole])) & mask & 0xffU) ==
         0;
}

bool is_in(std::string_view block, std::string_view bytes) { return contains(*read_address_block(block), bytes); }

bool is_public_v4(std::string_view bytes) {
  return !is_in(kMulticastAndReservedV4, bytes) &&
         std::none_of(kSpecialV4.begin(), kSpecialV4.end(),
                      [&](std::string_view block) { return is_in(block, bytes); });
}

bool is_public_v6(std::string_view bytes) {
  for (const auto& [block, offset] : kEmbeddings) {
    if (is_in(block, bytes)) return is_public_v4(bytes.substr(offset, 4));
  }
  return is_in(kGlobalV6, bytes) && std::none_of(kSpecialV6.begin(), kSpecialV6.end(),
                                                 [&](std::string_view block) { return is_in(block, bytes); });
}

/// Returns the address in network byte order; empty for other families.
std::string bytes_of(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    std::string bytes(sizeof v4.sin_addr, '\0');
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return bytes;
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    std::string bytes(sizeof v6.sin6_addr, '\0');
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return bytes;
  }
  return {};
}

}  // namespace

std::optional<AddressBlock> read_address_block(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  AddressBlock block;
  block.family = address.find(':') == std::string::npos ? AF_INET : AF_INET6;
  block.bytes.resize(block.family == AF_INET ? sizeof(in_addr) : sizeof(in6_addr));
  if (::inet_pton(block.family, address.c_str(), block.bytes.data()) != 1) return std::nullopt;
  const auto bits = static_cast<unsigned>(8 * block.bytes.size());
  block.prefix_length = bits;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, block.prefix_length);
    if (error != std::errc() || rest != end || block.prefix_length > bits) return std::nullopt;
  }
  AddressBlock masked = block;
  for (unsigned bit = block.prefix_length; bit < bits; ++bit) {
    auto& byte = masked.bytes[bit / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) & ~(0x80U >> (bit % 8)));
  }
  if (masked.bytes != block.bytes) return std::nullopt;
  return block;
}

bool is_public(const sockaddr& address, std::span<const AddressBlock> allowed) {
  const std::string bytes = bytes_of(address);
  if (bytes.empty()) return false;
  if (std::any_of(allowed.begin(), allowed.end(), [&](const AddressBlock& block) { return contains(block, bytes); })) {
    return true;
  }
  return address.sa_family == AF_INET ? is_public_v4(bytes) : is_public_v6(bytes);
}

}  // namespace tonearm::public_web
