#pragma once
// The network through libcurl. Only public addresses are connected to, whatever a name, a number or a redirect leads to
// (LINK-2): each socket is checked before it is opened, by the address that it will really connect to. A name is
// resolved once and stays as it was.

#include <memory>
#include <string>
#include <vector>

#include "links/public_address.h"
#include "links/web.h"

namespace tonearm::builder {

struct CurlWebOptions {
  std::string user_agent;
  std::vector<AddressBlock> allowed;  // as if they were public
  std::int64_t timeout_ms = 20'000;   // of one exchange
};

/// Used by one thread. Throws Failure where libcurl cannot be used.
std::unique_ptr<Web> make_curl_web(CurlWebOptions options);

}  // namespace tonearm::builder
