#include "http/client_address.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

namespace ip = boost::asio::ip;

constexpr unsigned kMappedBits = 96;  // the prefix of an IPv4 address in ::ffff:a.b.c.d

ip::address_v6::bytes_type bytes_of(const ip::address& address) {
  return (address.is_v4() ? ip::make_address_v6(ip::v4_mapped, address.to_v4()) : address.to_v6()).to_bytes();
}

std::optional<ip::address> parse_address(std::string_view text) {
  boost::system::error_code error;
  auto address = ip::make_address(std::string(text), error);
  if (error) return std::nullopt;
  return address;
}

/// "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80"
std::optional<ip::address> parse_entry(std::string_view entry) {
  if (entry.starts_with('[')) return parse_address(entry.substr(1, entry.find(']') - 1));
  const bool has_port = std::count(entry.begin(), entry.end(), ':') == 1;
  return parse_address(has_port ? entry.substr(0, entry.find(':')) : entry);
}

}  // namespace

ClientKey client_key(const ip::address& address) {
  const auto bytes = bytes_of(address);
  const auto number = [&bytes](std::size_t begin, std::size_t end) {
    std::uint64_t value = 0;
    for (std::size_t i = begin; i < end; ++i) value = value << 8U | bytes[i];
    return value;
  };
  // No client has a multicast address (ff00::/8), so IPv4 keys use that range.
  constexpr std::uint64_t kIpv4 = 0xffffffffULL << 32U;
  const bool is_v4 = address.is_v4() || address.to_v6().is_v4_mapped();
  return ClientKey{is_v4 ? kIpv4 | number(12, 16) : number(0, 8)};
}

std::optional<AddressBlock> AddressBlock::parse(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  const unsigned bits_max = address->is_v4() ? 32 : 128;
  unsigned bits = bits_max;
  if (slash != std::string_view::npos) {
    const auto digits = text.substr(slash + 1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (!ascii::is_digits(digits) || read.ec != std::errc() || bits > bits_max) return std::nullopt;
  }
  AddressBlock block;
  block.bytes_ = bytes_of(*address);
  block.bits_ = address->is_v4() ? kMappedBits + bits : bits;
  return block;
}

bool AddressBlock::contains(const ip::address& address) const {
  const auto bytes = bytes_of(address);
  const std::size_t whole = bits_ / 8;
  if (!std::equal(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(whole), bytes.begin())) return false;
  const unsigned rest = bits_ % 8;
  return rest == 0 || (bytes_[whole] ^ bytes[whole]) >> (8 - rest) == 0;
}

bool contains(const AddressBlocks& blocks, const ip::address& address) {
  return std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) { return block.contains(address); });
}

std::optional<ClientKey> forwarded_client(const Headers& headers, const AddressBlocks& trusted) {
  for (auto header = headers.rbegin(); header != headers.rend(); ++header) {
    if (!is_named(*header, "X-Forwarded-For")) continue;
    for (std::string_view rest = header->value; !rest.empty();) {
      const auto comma = rest.rfind(',');
      const auto entry = http_fields::trimmed(comma == std::string_view::npos ? rest : rest.substr(comma + 1));
      rest = rest.substr(0, comma == std::string_view::npos ? 0 : comma);
      const auto address = parse_entry(entry);
      if (!address) return std::nullopt;
      if (!contains(trusted, *address)) return client_key(*address);
    }
  }
  return std::nullopt;
}

}  // namespace tonearm::native
