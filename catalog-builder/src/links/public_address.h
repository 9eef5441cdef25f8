#pragma once
// Which addresses of the internet are public, so that no catalog makes a machine ask its own network (LINK-2). Pure,
// thread-safe.

#include <sys/socket.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

/// A block of addresses of one family: "10.0.0.0/8", "fd00::/8".
struct AddressBlock {
  int family = 0;              // AF_INET or AF_INET6
  std::string bytes;           // 4 or 16, zero behind the prefix
  unsigned prefix_length = 0;  // bits
};
/// Nothing for what is no block, or has bits behind its prefix. An address alone is a block of one.
std::optional<AddressBlock> read_address_block(std::string_view text);

/// Whether everybody may reach the address: it is global unicast by IANA's registries of special-purpose addresses. An
/// IPv6 address that carries an IPv4 address (mapped, NAT64, 6to4) is as public as that. `allowed`: blocks that count
/// as public all the same.
bool is_public(const sockaddr& address, std::span<const AddressBlock> allowed);

}  // namespace tonearm::builder
