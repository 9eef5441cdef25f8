#include "http_client.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>

namespace tonearm::native {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::use_awaitable;

constexpr std::chrono::seconds kTime{30};
constexpr std::uint64_t kAnswerBytesMax = 256U << 20U;

std::string_view bare(std::string_view host) {
  return host.size() > 2 && host.front() == '[' ? host.substr(1, host.size() - 2) : host;
}

http::request<http::string_body> message(const ServerUrl& server, const ClientRequest& request) {
  http::request<http::string_body> out;
  out.method_string(request.method);
  out.target(server.path + request.target);
  out.version(11);
  out.set(http::field::host, server.host + ':' + server.port);
  out.set(http::field::authorization, "Bearer " + request.token);
  out.set(http::field::connection, "close");
  if (!request.body.empty()) {
    out.set(http::field::content_type, "application/json");
    out.body() = request.body;
  }
  out.prepare_payload();
  return out;
}

template <class Stream>
awaitable<ClientResponse> exchange(Stream& stream, const ServerUrl& server, const ClientRequest& request) {
  const auto out = message(server, request);
  co_await http::async_write(stream, out, use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(kAnswerBytesMax);
  co_await http::async_read(stream, buffer, parser, use_awaitable);
  auto response = parser.release();
  co_return ClientResponse{static_cast<int>(response.result_int()), std::move(response.body())};
}

awaitable<ClientResponse> ask_over(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file) {
  const auto executor = co_await asio::this_coro::executor;
  asio::ip::tcp::resolver resolver(executor);
  const auto addresses = co_await resolver.async_resolve(std::string(bare(server.host)), server.port, use_awaitable);
  if (!server.tls) {
    beast::tcp_stream stream(executor);
    stream.expires_after(kTime);
    co_await stream.async_connect(addresses, use_awaitable);
    co_return co_await exchange(stream, server, request);
  }
  asio::ssl::context context(asio::ssl::context::tls_client);
  if (ca_file.empty()) {
    context.set_default_verify_paths();
  } else {
    context.load_verify_file(ca_file);
  }
  asio::ssl::stream<beast::tcp_stream> stream(executor, context);
  stream.set_verify_mode(asio::ssl::verify_peer);
  std::string name(bare(server.host));
  stream.set_verify_callback(asio::ssl::host_name_verification(name));
  // An address is no server name (RFC 6066, 3), and a server that has only one certificate needs none.
  boost::system::error_code no_address;
  asio::ip::make_address(name, no_address);
  if (no_address) {
    SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
  }
  stream.next_layer().expires_after(kTime);
  co_await stream.next_layer().async_connect(addresses, use_awaitable);
  co_await stream.async_handshake(asio::ssl::stream_base::client, use_awaitable);
  co_return co_await exchange(stream, server, request);
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
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool fits = !url.host.empty() && !url.port.empty() && url.port.size() <= 5 &&
                    std::all_of(url.port.begin(), url.port.end(), is_digit) &&
                    text.find_first_of(" @?#\\") == std::string_view::npos;
  return fits ? url : refuse();
}

ClientResponse ask(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file) {
  asio::io_context io;
  std::optional<ClientResponse> response;
  std::exception_ptr fault;
  asio::co_spawn(io, ask_over(server, request, ca_file), [&](const std::exception_ptr& error, ClientResponse answer) {
    fault = error;
    if (!error) response = std::move(answer);
  });
  io.run_for(kTime);
  const auto place = server.host + ':' + server.port;
  if (!fault && !response) throw std::runtime_error("no answer from " + place + " within 30 seconds");
  try {
    if (fault) std::rethrow_exception(fault);
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("no answer from " + place + ": " + error.code().message());
  }
  return *std::move(response);
}

}  // namespace tonearm::native
