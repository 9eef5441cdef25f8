#include "text/web_address.h"

#include <algorithm>
#include <array>

#include "text/percent.h"
#include "tonearm/ascii.h"

namespace tonearm::text {
namespace {

constexpr std::array<std::string_view, 2> kSchemes{"http://", "https://"};
constexpr std::array<std::string_view, 2> kDefaultPorts{":80", ":443"};
constexpr std::array<std::string_view, 6> kClickParameters{"fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid"};

/// How long the scheme is; 0: it is none of the web.
std::size_t scheme_size(std::string_view address) {
  for (const std::string_view scheme : kSchemes) {
    if (ascii::equals_ignoring_case(address.substr(0, scheme.size()), scheme)) return scheme.size();
  }
  return 0;
}

/// Escapes of characters that need none are undone, and characters that need one get it.
std::string evenly_escaped(std::string_view text) {
  std::string even;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && ascii::hex_value(text[i + 1]) >= 0 &&
                           ascii::hex_value(text[i + 2]) >= 0;
    if (is_escape) {
      const char c = static_cast<char>(ascii::hex_value(text[i + 1]) * 16 + ascii::hex_value(text[i + 2]));
      i += 2;
      if (is_unreserved(c)) {
        even += c;
      } else {
        append_percent_encoded(even, c);
      }
    } else if (is_unreserved(text[i]) || std::string_view("!$&'()*+,/:;=?@%").find(text[i]) != std::string_view::npos) {
      even += text[i];
    } else {
      append_percent_encoded(even, text[i]);
    }
  }
  return even;
}

bool is_click_parameter(std::string_view parameter) {
  const std::string_view name = parameter.substr(0, parameter.find('='));
  // The button of a search form, as Incompetech links its pieces.
  return parameter == "Search=Search" || name.starts_with("utm_") ||
         std::find(kClickParameters.begin(), kClickParameters.end(), name) != kClickParameters.end();
}

std::string plain_query(std::string_view query) {
  std::string kept;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (parameter.empty() || is_click_parameter(parameter)) continue;
    kept.append(1, kept.empty() ? '?' : '&').append(evenly_escaped(parameter));
  }
  return kept;
}

}  // namespace

bool is_web_address(std::string_view address) {
  const std::size_t scheme = scheme_size(address);
  return scheme > 0 && address.size() > scheme &&
         (ascii::is_alphanumeric(address[scheme]) || address[scheme] == '[' ||
          static_cast<unsigned char>(address[scheme]) >= 0x80);
}

WebAddress read_address(std::string_view address) {
  address.remove_prefix(scheme_size(address));
  address = address.substr(0, address.find('#'));
  const std::size_t host_end = std::min(address.find_first_of("/?"), address.size());
  WebAddress read;
  read.host = ascii::to_lower(address.substr(0, host_end));
  for (const std::string_view port : kDefaultPorts) {
    if (read.host.ends_with(port)) read.host.resize(read.host.size() - port.size());
  }
  if (read.host.starts_with("www.")) read.host.erase(0, 4);
  address.remove_prefix(host_end);
  const std::size_t query = address.find('?');
  std::string_view path = address.substr(0, query);
  while (path.ends_with('/')) path.remove_suffix(1);
  read.path = evenly_escaped(path);
  if (query != std::string_view::npos) read.query = plain_query(address.substr(query + 1));
  return read;
}

bool is_of_domain(std::string_view host, std::string_view domain) {
  return host == domain || (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

std::string plain_address(std::string_view address) {
  return is_web_address(address) ? read_address(address).joined() : std::string();
}

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) segments.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return segments;
}

}  // namespace tonearm::text
