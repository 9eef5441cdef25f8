#include "client/http_client.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "client/client_connection.h"
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
  const auto refuse = [&]() -> ServerUrl {
    throw std::runtime_error("a server is http://HOST:PORT or https://HOST:PORT, not " + std::string(text));
  };
  ServerUrl url;
  auto rest = text;
  if (rest.substr(0, 7) == "http://") {
    rest.remove_prefix(7);
  } else if (rest.substr(0, 8) == "https://") {
    url.tls = true;
    rest.remove_prefix(8);
  } else {
    return refuse();
  }
  const auto slash = std::min(rest.find('/'), rest.size());
  url.path = rest.substr(slash);
  while (!url.path.empty() && url.path.back() == '/') url.path.pop_back();
  const auto authority = rest.substr(0, slash);
  const auto bracket = authority.rfind(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  url.host = authority.substr(0, colon);
  url.port = colon == std::string_view::npos ? (url.tls ? "443" : "80") : authority.substr(colon + 1);
  const bool fits = !url.host.empty() && url.port.size() <= 5 && ascii::is_digits(url.port) &&
                    text.find_first_of(" @?#\\") == std::string_view::npos;
  return fits ? url : refuse();
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
