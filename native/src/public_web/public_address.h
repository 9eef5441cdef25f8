#pragma once
// Decides which internet addresses are public, so that no third party can make a machine send requests to its own
// network (LINK-2, OAUTH-13). Pure, thread-safe.

#include <sys/socket.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::public_web {

/// A block of addresses of one family: "10.0.0.0/8", "fd00::/8".
struct AddressBlock {
  int family = 0;              // AF_INET or AF_INET6
  std::string bytes;           // 4 or 16; bits after the prefix are zero
  unsigned prefix_length = 0;  // bits
};
/// Parses a block; a single address is a block of one. Returns nullopt for other text, and if bits after the prefix are
/// set.
std::optional<AddressBlock> read_address_block(std::string_view text);

/// Whether the address is global unicast by IANA's registries of special-purpose addresses. An IPv6 address that embeds
/// an IPv4 address (mapped, NAT64, 6to4) is public if that address is. Addresses in `allowed` count as public.
bool is_public(const sockaddr& address, std::span<const AddressBlock> allowed);

}  // namespace tonearm::public_web
