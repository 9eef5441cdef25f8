#include "client/client_connection.h"

#include <sys/socket.h>

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
#include <stdexcept>

namespace tonearm::native {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::use_awaitable;
using PlainStream = beast::tcp_stream;
using TlsStream = asio::ssl::stream<beast::tcp_stream>;

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kKeptPieceBytes = 16 * 1024;
constexpr std::uint64_t kAnswerBytesMax = 256U << 20U;

std::string_view bare(std::string_view host) {
  return host.size() > 2 && host.front() == '[' ? host.substr(1, host.size() - 2) : host;
}

http::request<http::string_body> message(const ServerUrl& server, const ClientRequest& request, AfterExchange after) {
  http::request<http::string_body> out;
  out.method_string(request.method);
  out.target(server.path + request.target);
  out.version(11);
  out.set(http::field::host, server.host + ':' + server.port);
  if (!request.token.empty()) out.set(http::field::authorization, "Bearer " + request.token);
  if (after == AfterExchange::close) out.set(http::field::connection, "close");
  for (const auto& [name, value] : request.headers) out.insert(name, value);
  if (!request.body.empty()) {
    if (find_header(request.headers, "Content-Type") == nullptr) out.set(http::field::content_type, "application/json");
    out.body() = request.body;
  }
  out.prepare_payload();
  return out;
}

Headers headers_of(const http::fields& fields) {
  Headers headers;
  for (const auto& field : fields) headers.push_back({std::string(field.name_string()), std::string(field.value())});
  return headers;
}

}  // namespace

struct ClientTrust::Context {
  asio::ssl::context tls{asio::ssl::context::tls_client};
};

ClientTrust::ClientTrust(const std::string& ca_file) : context_(std::make_unique<Context>()) {
  try {
    if (ca_file.empty()) {
      context_->tls.set_default_verify_paths();
    } else {
      context_->tls.load_verify_file(ca_file);
    }
  } catch (const boost::system::system_error& failure) {
    throw std::runtime_error("cannot read the certificates of " + ca_file + ": " + failure.code().message());
  }
}

ClientTrust::~ClientTrust() = default;

/// Runs nowhere but inside `run`, so the thread that asks does all of the work.
struct ClientConnection::Link {
  Link() = default;
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  virtual awaitable<void> connect(const ServerUrl& server, std::chrono::milliseconds time) = 0;
  virtual awaitable<ClientResponse> exchange(const ServerUrl& server, const ClientRequest& request,
                                             const Reception& reception, AfterExchange after) = 0;
  virtual PlainStream& tcp() = 0;

  asio::io_context io;
  beast::flat_buffer buffer;
  bool is_connected = false;
  bool is_kept = false;  // by both sides, after the last exchange
};

namespace {

template <class Stream>
struct StreamLink final : ClientConnection::Link {
  template <class... Arguments>
  explicit StreamLink(Arguments&... arguments) : stream(io, arguments...) {}

  PlainStream& tcp() override { return beast::get_lowest_layer(stream); }

  awaitable<void> connect(const ServerUrl& server, std::chrono::milliseconds time) override {
    asio::ip::tcp::resolver resolver(io);
    std::string name(bare(server.host));
    const auto addresses = co_await resolver.async_resolve(name, server.port, use_awaitable);
    tcp().expires_after(time);
    co_await tcp().async_connect(addresses, use_awaitable);
    tcp().socket().set_option(asio::ip::tcp::no_delay(true));
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      stream.set_verify_mode(asio::ssl::verify_peer);
      stream.set_verify_callback(asio::ssl::host_name_verification(name));
      // An address is no server name (RFC 6066, 3), and a server that has only one certificate needs none.
      boost::system::error_code no_address;
      asio::ip::make_address(name, no_address);
      if (no_address) {
        SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
      }
      co_await stream.async_handshake(asio::ssl::stream_base::client, use_awaitable);
    }
    is_connected = true;
  }

  awaitable<ClientResponse> exchange(const ServerUrl& server, const ClientRequest& request, const Reception& reception,
                                     AfterExchange after) override {
    if (!is_connected) co_await connect(server, reception.until_head);
    is_kept = false;
    const auto out = message(server, request, after);
    tcp().expires_after(reception.until_head);
    co_await http::async_write(stream, out, use_awaitable);
    http::response_parser<http::buffer_body> parser;
    parser.body_limit(boost::none);
    if (request.method == "HEAD") parser.skip(true);
    co_await http::async_read_header(stream, buffer, parser, use_awaitable);
    ClientResponse response{static_cast<int>(parser.get().result_int()), {}, headers_of(parser.get())};
    co_await read_body(parser, reception, response);
    is_kept = after == AfterExchange::keep && parser.keep_alive();
    co_return response;
  }

  awaitable<void> read_body(http::response_parser<http::buffer_body>& parser, const Reception& reception,
                            ClientResponse& response) {
    const bool into_sink = reception.sink != nullptr && response.status == 200;
    std::string piece(into_sink ? kPieceBytes : kKeptPieceBytes, '\0');
    while (!parser.is_done()) {
      auto& space = parser.get().body();
      space.data = piece.data();
      space.size = piece.size();
      space.more = true;
      tcp().expires_after(reception.between_pieces);
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
  }

  Stream stream;
};

}  // namespace

ClientConnection::ClientConnection(const ServerUrl& server, const ClientTrust& trust) : server_(server) {
  if (server.tls) {
    link_ = std::make_unique<StreamLink<TlsStream>>(trust.context().tls);
  } else {
    link_ = std::make_unique<StreamLink<PlainStream>>();
  }
}

ClientConnection::~ClientConnection() = default;

ClientResponse ClientConnection::exchange(const ClientRequest& request, const Reception& reception,
                                          AfterExchange after) {
  std::optional<ClientResponse> response;
  std::exception_ptr failure;
  const auto take = [&](const std::exception_ptr& error, ClientResponse answer) {
    failure = error;
    if (!error) response = std::move(answer);
    link_->tcp().expires_never();
  };
  link_->io.restart();
  asio::co_spawn(link_->io, link_->exchange(server_, request, reception, after), take);
  if (reception.altogether) {
    link_->io.run_for(*reception.altogether);
  } else {
    link_->io.run();
  }
  const auto place = server_.host + ':' + server_.port;
  if (!failure && !response) {
    link_.reset();  // and with it what still waits
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*reception.altogether).count();
    throw std::runtime_error("no answer from " + place + " within " + std::to_string(seconds) + " seconds");
  }
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const boost::system::system_error& error) {
    link_->is_kept = false;
    throw std::runtime_error("no answer from " + place + ": " + error.code().message());
  }
  return *std::move(response);
}

bool ClientConnection::is_reusable() const {
  if (link_ == nullptr || !link_->is_kept || link_->buffer.size() > 0) return false;
  char byte = 0;
  const auto peeked = recv(link_->tcp().socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return peeked < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace tonearm::native
