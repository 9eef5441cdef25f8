#pragma once
// The client that a connection or request counts for, where connections are limited per client. Pure, thread-safe.

#include <array>
#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tonearm/http.h"

namespace tonearm::native {

/// An IPv4 address, or the /64 prefix of an IPv6 address, which one site owns (RFC 4291, 2.5.4).
enum class ClientKey : std::uint64_t {};

/// An IPv4-mapped IPv6 address (::ffff:192.0.2.1) has the key of the IPv4 address.
ClientKey client_key(const boost::asio::ip::address& address);

/// The addresses of a CIDR block.
class AddressBlock {
 public:
  /// Parses "10.0.0.0/8", "fd00::/8", or one address. Returns nothing if `text` is none of these.
  static std::optional<AddressBlock> parse(std::string_view text);

  bool contains(const boost::asio::ip::address& address) const;

 private:
  std::array<std::uint8_t, 16> bytes_{};  // IPv4 as ::ffff:a.b.c.d
  unsigned bits_ = 0;
};

using AddressBlocks = std::vector<AddressBlock>;

bool contains(const AddressBlocks& blocks, const boost::asio::ip::address& address);

/// Returns the client of a trusted proxy's request: the last address in X-Forwarded-For that is not trusted itself. An
/// entry may have a port. Returns nothing if the field is missing, names only trusted addresses, or has no address
/// there.
std::optional<ClientKey> forwarded_client(const Headers& headers, const AddressBlocks& trusted);

}  // namespace tonearm::native
