#pragma once
// Addresses of the web in the one form in which they are compared (CREDIT-21). Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::text {

/// Whether it begins as an http or https address and names a host.
bool is_web_address(std::string_view address);

/// The parts of an address in the compared form: the host in lower case without `www.` and a default port, the path
/// without slashes at its end, the query without parameters that only say where a link was clicked.
struct WebAddress {
  std::string host;
  std::string path;   // begins with `/`, or is empty
  std::string query;  // with its `?`, or empty

  std::string joined() const { return host + path + query; }
};
/// REQUIRES: is_web_address(address).
WebAddress read_address(std::string_view address);

/// Whether a host is the domain or below it.
bool is_of_domain(std::string_view host, std::string_view domain);

/// The compared form of an address, without scheme and fragment; empty for what is no web address.
std::string plain_address(std::string_view address);

/// What lies between the slashes of a path, without empty segments.
std::vector<std::string_view> segments_of(std::string_view path);

}  // namespace tonearm::text
