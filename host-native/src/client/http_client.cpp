#include "client/http_client.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "tonearm/ascii.h"

namespace tonearm::native {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::use_awaitable;

constexpr std::chrono::seconds kTime{30};
constexpr std::chrono::seconds kTimeToBegin{3'600};
constexpr std::size_t kPieceBytes = 256 * 1024;
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
  for (const auto& [name, value] : request.headers) out.set(name, value);
  if (!request.body.empty()) {
    out.set(http::field::content_type, "application/json");
    out.body() = request.body;
  }
  out.prepare_payload();
  return out;
}

/// How long an answer may take, and where its body goes.
struct Reception {
  std::chrono::seconds until_head = kTime;
  const BodySink* sink = nullptr;  // null: into the response
};

template <class Stream>
awaitable<ClientResponse> exchange(Stream& stream, const ServerUrl& server, const ClientRequest& request,
                                   const Reception& reception) {
  const auto out = message(server, request);
  co_await http::async_write(stream, out, use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::buffer_body> parser;
  parser.body_limit(boost::none);
  beast::get_lowest_layer(stream).expires_after(reception.until_head);
  co_await http::async_read_header(stream, buffer, parser, use_awaitable);
  ClientResponse response{static_cast<int>(parser.get().result_int()), {}};
  const bool into_sink = reception.sink != nullptr && response.status == 200;
  std::string piece(kPieceBytes, '\0');
  while (!parser.is_done()) {
    auto& space = parser.get().body();
    space.data = piece.data();
    space.size = piece.size();
    space.more = true;
    beast::get_lowest_layer(stream).expires_after(kTime);
    boost::system::error_code error;
    co_await http::async_read(stream, buffer, parser, asio::redirect_error(use_awaitable, error));
    if (error && error != http::error::need_buffer) throw boost::system::system_error(error);
    const auto came = std::string_view(piece).substr(0, piece.size() - space.size);
    if (into_sink) {
      (*reception.sink)(came);
    } else {
      response.body += came;
      if (response.body.size() > kAnswerBytesMax) throw boost::system::system_error(http::error::body_limit);
    }
  }
  co_return response;
}

awaitable<ClientResponse> ask_over(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                                   const Reception& reception) {
  const auto executor = co_await asio::this_coro::executor;
  asio::ip::tcp::resolver resolver(executor);
  const auto addresses = co_await resolver.async_resolve(std::string(bare(server.host)), server.port, use_awaitable);
  if (!server.tls) {
    beast::tcp_stream stream(executor);
    stream.expires_after(kTime);
    co_await stream.async_connect(addresses, use_awaitable);
    co_return co_await exchange(stream, server, request, reception);
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
  co_return co_await exchange(stream, server, request, reception);
}

ClientResponse ask_with(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                        const Reception& reception) {
  asio::io_context io;
  std::optional<ClientResponse> response;
  std::exception_ptr failure;
  const auto take = [&](const std::exception_ptr& error, ClientResponse answer) {
    failure = error;
    if (!error) response = std::move(answer);
  };
  asio::co_spawn(io, ask_over(server, request, ca_file, reception), take);
  if (reception.sink == nullptr) {
    io.run_for(kTime);
  } else {
    io.run();
  }
  const auto place = server.host + ':' + server.port;
  if (!failure && !response) throw std::runtime_error("no answer from " + place + " within 30 seconds");
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("no answer from " + place + ": " + error.code().message());
  }
  return *std::move(response);
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

ClientResponse ask(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file) {
  return ask_with(server, request, ca_file, {});
}

ClientResponse download(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                        const BodySink& sink) {
  return ask_with(server, request, ca_file, {kTimeToBegin, &sink});
}

}  // namespace tonearm::native
