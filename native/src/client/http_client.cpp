#include "client/http_client.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "client/client_connection.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::native {
namespace {

constexpr std::chrono::seconds kDownloadHeadTime{3'600};

ClientResponse send_with(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                         const Reception& reception) {
  const ClientTrust trust(ca_file);
  ClientConnection connection(server, trust);
  return connection.exchange(request, reception, AfterExchange::close);
}

}  // namespace

ServerUrl parse_server_url(std::string_view text) {
  const auto address = text::parse_web_address(text);
  const bool has_only_server = text.find_first_of(" @?#\\") == std::string_view::npos;
  if (address && !address->host.empty() && has_only_server) {
    ServerUrl url{address->is_https, std::string(address->host), address->is_https ? "443" : "80", {}};
    if (!address->port.empty()) url.port = address->port.substr(1);
    url.path = address->path.substr(0, address->path.find_last_not_of('/') + 1);
    if (url.port.size() <= 5 && ascii::is_digits(url.port)) return url;
  }
  throw std::runtime_error("a server is http://HOST:PORT or https://HOST:PORT");  // the text may contain a password
}

ClientResponse send(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file) {
  return send_with(server, request, ca_file, {});
}

ClientResponse download(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                        const BodySink& sink) {
  Reception reception;
  reception.until_head = kDownloadHeadTime;
  reception.total.reset();
  reception.sink = &sink;
  return send_with(server, request, ca_file, reception);
}

}  // namespace tonearm::native
