#include "http/tls_detector.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "http/http_session.h"

namespace tonearm::native {
namespace {

class TlsDetector final : public Session, public std::enable_shared_from_this<TlsDetector> {
 public:
  TlsDetector(IoSocket socket, std::shared_ptr<boost::asio::ssl::context> tls, SessionParts parts)
      : socket_(std::move(socket)), tls_(std::move(tls)), session_parts_(std::move(parts)) {}
  ~TlsDetector() override {
    if (!is_handed_over_) session_parts_.on_end();
  }
  TlsDetector(const TlsDetector&) = delete;
  TlsDetector& operator=(const TlsDetector&) = delete;

  void start() override {
    const auto now = Steady::now();
    auto& state = session_parts_.connection.state;
    state.publish(Evictable::first, now);
    state.set_deadline(now + session_parts_.context.limits.progress_timeout);
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] {
      self->socket_.async_wait(boost::asio::socket_base::wait_read, [self](const boost::beast::error_code& error) {
        if (!error && self->socket_.is_open()) self->hand_over();
      });
    });
  }
  void close_when_idle() override { close(); }
  void check_deadline() override { close(); }
  void evict() override { close(); }

 private:
  void close() {
    boost::asio::post(socket_.get_executor(), [self = shared_from_this()] {
      boost::beast::error_code ignored;
      if (!self->is_handed_over_) self->socket_.close(ignored);
    });
  }

  void hand_over() {
    auto& table = session_parts_.table;
    auto& connection = session_parts_.connection;
    TlsStream stream(std::move(socket_), *tls_);
    const auto session = std::make_shared<HttpSession<TlsStream>>(std::move(stream), std::move(session_parts_));
    is_handed_over_ = true;
    table.attach(connection, session);
    session->start();
  }

  IoSocket socket_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  SessionParts session_parts_;
  bool is_handed_over_ = false;
};

}  // namespace

std::shared_ptr<Session> make_tls_detector(IoSocket socket, std::shared_ptr<boost::asio::ssl::context> tls,
                                           SessionParts parts) {
  return std::make_shared<TlsDetector>(std::move(socket), std::move(tls), std::move(parts));
}

}  // namespace tonearm::native
