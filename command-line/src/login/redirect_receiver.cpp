#include "login/redirect_receiver.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

#include "tonearm/result.h"

namespace tonearm::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::string_view kPath = "/callback";
constexpr std::uint32_t kHeadBytesMax = 16'384;
constexpr std::chrono::seconds kRequestLimit{10};
constexpr std::chrono::milliseconds kAcceptPause{100};

/// What all connections of one wait share.
struct Wait {
  std::string state;
  std::optional<RedirectAnswer> answer;
  asio::io_context* context = nullptr;
};

/// One connection with one request.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Wait& wait) : stream_(std::move(socket)), wait_(wait) {
    parser_.header_limit(kHeadBytesMax);
  }

  void start() {
    stream_.expires_after(kRequestLimit);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->respond();
                            });
  }

 private:
  void respond() {
    const auto& request = parser_.get();
    const std::string target(request.target());
    const auto path = std::string_view(target).substr(0, target.find('?'));
    if (path != kPath) return send(http::status::not_found, "There is nothing here.\n");
    if (request.method() != http::verb::get) return send(http::status::method_not_allowed, "The method must be GET.\n");
    auto answer = text::parse_form(std::string_view(target).substr(std::min(path.size() + 1, target.size())));
    const auto state = answer ? answer->find("state") : RedirectAnswer::iterator();
    if (!answer || state == answer->end() || state->second != wait_.state) {
      return send(http::status::bad_request, "This is not the answer to the login that runs now.\n");
    }
    wait_.answer = std::move(answer);
    send(http::status::ok, "Tonearm has the answer. Close this page and return to the terminal.\n");
  }

  void send(http::status status, const char* text) {
    response_.result(status);
    response_.version(11);
    response_.set(http::field::content_type, "text/plain; charset=utf-8");
    response_.set(http::field::cache_control, "no-store");
    response_.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.keep_alive(false);
    response_.body() = text;
    response_.prepare_payload();
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code, std::size_t) {
      beast::error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      if (self->wait_.answer) self->wait_.context->stop();
    });
  }

  beast::tcp_stream stream_;
  Wait& wait_;
  beast::flat_buffer buffer_{kHeadBytesMax};
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
};

void accept_all(tcp::acceptor& acceptor, Wait& wait) {
  acceptor.async_accept([&acceptor, &wait](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      std::make_shared<Connection>(std::move(socket), wait)->start();
      return accept_all(acceptor, wait);
    }
    // Such as too many open files: a pause, because the connection still waits.
    const auto pause = std::make_shared<asio::steady_timer>(acceptor.get_executor(), kAcceptPause);
    pause->async_wait([&acceptor, &wait, pause](beast::error_code) { accept_all(acceptor, wait); });
  });
}

}  // namespace

struct RedirectReceiver::Server {
  Wait wait;
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
};

RedirectReceiver::RedirectReceiver() {
  try {
    server_ = std::make_unique<Server>();
    address_ = "http://127.0.0.1:" + std::to_string(server_->acceptor.local_endpoint().port()) + std::string(kPath);
  } catch (const boost::system::system_error& error) {
    throw Failure(std::string("cannot listen on 127.0.0.1: ") + error.what());
  }
}

RedirectReceiver::~RedirectReceiver() = default;

std::optional<RedirectAnswer> RedirectReceiver::wait(const std::string& state, std::chrono::seconds limit) {
  auto& [wait, context, acceptor] = *server_;
  wait = {state, std::nullopt, &context};
  accept_all(acceptor, wait);
  context.run_for(limit);
  return std::move(wait.answer);
}

}  // namespace tonearm::cli
