#pragma once
// Implements the port `Web` with libcurl. Connects only to public addresses (LINK-2): each socket is checked by its
// actual address before it is opened, whatever a name, a number or a redirect says.

#include <memory>
#include <string>
#include <vector>

#include "public_web/public_address.h"
#include "public_web/web.h"

namespace tonearm::public_web {

struct CurlWebOptions {
  std::string user_agent;
  std::vector<AddressBlock> allowed;  // treated as public
  std::int64_t timeout_ms = 20'000;   // for each exchange
  std::int64_t address_s = -1;        // how long the addresses of a name are used again; negative: always
};

/// Used by one thread. Throws Failure if libcurl cannot be initialized.
std::unique_ptr<Web> make_curl_web(CurlWebOptions options);

}  // namespace tonearm::public_web
