#include "connection.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <string>
#include <utility>

#include "answer_head.h"
#include "chunked_body.h"
#include "content_coding.h"
#include "request_head.h"

namespace tonearm::native {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;
using Steady = std::chrono::steady_clock;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kReadBytes = 8 * 1024;
constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kLingerBytesMax = 1024 * 1024;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

using PlainStream = tcp::socket;
using TlsStream = asio::ssl::stream<tcp::socket>;

enum class Input : std::uint8_t { data, end, timeout };
enum class BodyEnd : std::uint8_t { complete, too_long, fault, end, timeout };

/// A request on its way through the two stages: `admit`, then the body, then `answer`.
struct Exchange {
  Request request;
  CheckedHead checked;  // without its head, which is the request's
  Headers negotiation;  // the fields that choose the form of the answer, as they came
  std::string request_id;
  Steady::time_point began;
  std::variant<Response, Admitted> admission;
  bool keep_alive = false;
};

/// An answer as bytes.
struct Answer {
  int status = 0;
  std::string head;
  std::string body;
  std::shared_ptr<BodySource> source;  // of the body, where not null
};

bool ignores_body(std::string_view method) { return method == "GET" || method == "HEAD" || method == "DELETE"; }

template <class Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  Session(Stream stream, ConnectionParts& parts, Welcome welcome, std::function<void()> on_end)
      : stream_(std::move(stream)),
        timer_(stream_.get_executor()),
        parts_(parts),
        welcome_(welcome),
        on_end_(std::move(on_end)) {}
  ~Session() override { on_end_(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() override { asio::co_spawn(stream_.get_executor(), run(this->shared_from_this()), asio::detached); }

  void stop_soon() override {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
      if (self->idle_) self->cancel();
    });
  }

 private:
  auto& socket() {
    if constexpr (std::is_same_v<Stream, PlainStream>) {
      return stream_;
    } else {
      return stream_.next_layer();
    }
  }

  void cancel() {
    boost::system::error_code ignored;
    socket().cancel(ignored);
  }

  // The deadline of what is awaited now. The timer is not set anew for each: it fires at the earliest one and
  // looks whether that still is one, so that a request in a row of fast ones costs no timer at all.
  void expire_in(std::chrono::milliseconds time) {
    timed_out_ = false;
    deadline_ = Steady::now() + time;
    if (!armed_ || *deadline_ < *armed_) arm();
  }

  void never_expire() { deadline_.reset(); }

  void arm() {
    armed_ = deadline_;
    timer_.expires_at(*armed_);
    timer_.async_wait([weak = this->weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (self && !error) self->on_timer();
    });
  }

  void on_timer() {
    armed_.reset();
    if (!deadline_) return;
    if (Steady::now() < *deadline_) return arm();
    timed_out_ = true;
    cancel();
  }

  /// A request that had come before the server began to stop is answered, although nobody had read it yet.
  bool more_waits() {
    boost::system::error_code error;
    return socket().available(error) > 0 && !error;
  }

  std::string_view unread() const { return std::string_view(buffer_).substr(consumed_); }

  awaitable<Input> read_more() {
    if (timed_out_) co_return Input::timeout;
    buffer_.erase(0, consumed_);
    consumed_ = 0;
    const auto before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    const auto space = asio::buffer(buffer_.data() + before, kReadBytes);
    const auto [error, count] = co_await stream_.async_read_some(space, kTuple);
    buffer_.resize(before + count);
    if (!error && count > 0) co_return Input::data;
    co_return timed_out_ ? Input::timeout : Input::end;
  }

  awaitable<bool> write(std::string_view head, std::string_view body) {
    expire_in(parts_.limits.write_timeout);
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(head), asio::buffer(body)};
    const auto [error, count] = co_await asio::async_write(stream_, buffers, kTuple);
    linger_ = !error;
    co_return !error;
  }

  awaitable<void> run(std::shared_ptr<Session> self) {
    try {
      if (co_await shake_hands()) {
        while (co_await serve_one()) fresh_ = false;
        co_await close();
      }
    } catch (const std::exception& fault) {
      self->parts_.log.error(std::string("a connection ended by a fault: ") + fault.what());
    }
    timer_.cancel();
  }

  awaitable<bool> shake_hands() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      expire_in(parts_.limits.head_timeout);
      const auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kTuple);
      co_return !error;
    }
    co_return true;
  }

  /// Ends the output first and takes what still comes, so that no reset destroys the last answer on its way.
  awaitable<void> close() {
    if (!linger_) co_return;
    expire_in(parts_.limits.close_timeout);
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      co_await stream_.async_shutdown(kTuple);
    } else {
      boost::system::error_code ignored;
      socket().shutdown(tcp::socket::shutdown_send, ignored);
      for (std::size_t taken = 0; taken < kLingerBytesMax; taken += kReadBytes) {
        consumed_ = buffer_.size();
        const auto input = co_await read_more();
        if (input != Input::data) break;
      }
    }
  }

  /// True: the connection stands, and its next request may come.
  awaitable<bool> serve_one() {
    HeadScanner scanner;
    auto state = scanner.scan(unread());
    if (state == HeadScanner::State::more) {
      idle_ = unread().empty();
      if (idle_ && parts_.stopping && !more_waits()) co_return false;
      expire_in(idle_ && !fresh_ ? parts_.limits.idle_timeout : parts_.limits.head_timeout);
    }
    while (state == HeadScanner::State::more) {
      const auto input = co_await read_more();
      if (input == Input::end && idle_ && parts_.stopping && more_waits()) continue;
      if (input != Input::data) co_return co_await refuse_half_head(input);
      if (idle_) {
        idle_ = false;
        expire_in(parts_.limits.head_timeout);
      }
      state = scanner.scan(unread());
    }
    never_expire();
    if (state == HeadScanner::State::fault) co_return co_await refuse(scanner.fault().status, scanner.fault().message);
    auto checked = check_head(unread().substr(scanner.begin(), scanner.end() - scanner.begin()));
    consumed_ += scanner.end();
    if (const auto* fault = std::get_if<HeadFault>(&checked)) co_return co_await refuse(fault->status, fault->message);
    if (welcome_ == Welcome::refuse) co_return co_await refuse(503, "There are too many connections.");
    co_return co_await serve_request(std::move(std::get<CheckedHead>(checked)));
  }

  awaitable<bool> refuse_half_head(Input input) {
    const bool nothing_came = idle_ || unread().empty();
    idle_ = false;
    if (nothing_came) {
      linger_ = false;
      co_return false;
    }
    if (input == Input::timeout) co_return co_await refuse(408, "The header of the request took too long.");
    co_return co_await refuse(400, "The request ended before its header did.");
  }

  /// The server's own answer to what is no request that it could go on with: C1.1.
  awaitable<bool> refuse(int status, std::string message) {
    const auto response = refusal(status, message);
    const auto id = request_id({}, parts_.random);
    const auto head = render_answer_head({response, id, parts_.clock.now_ms(), 1, false});
    parts_.metrics.count_request("", status, std::chrono::nanoseconds(0));
    co_await write(head, response.body);
    co_return false;
  }

  awaitable<bool> serve_request(CheckedHead checked) {
    Exchange exchange;
    exchange.began = Steady::now();
    exchange.checked = std::move(checked);
    exchange.request.head = std::move(exchange.checked.head);
    exchange.keep_alive = exchange.checked.keep_alive;
    auto& headers = exchange.request.head.headers;
    exchange.request_id = request_id(headers, parts_.random);
    for (const auto& header : headers) {
      const bool chooses =
          equals_ignoring_case(header.name, "Accept-Encoding") || equals_ignoring_case(header.name, "If-None-Match");
      if (chooses) exchange.negotiation.push_back(header);
    }
    restore_entity_tags(headers);
    ++parts_.metrics.in_flight;
    const bool stands = co_await answer_request(exchange);
    --parts_.metrics.in_flight;
    co_return stands;
  }

  awaitable<bool> answer_request(Exchange& exchange) {
    Answer answer;
    const bool has_body = exchange.checked.framing != Framing::none;
    const auto first = [this, &exchange, &answer, has_body] {
      guarded(exchange, answer, [&] {
        exchange.admission = parts_.handler.admit(exchange.request.head);
        if (has_body) return;  // read only now; `finish` comes after it
        if (std::holds_alternative<Admitted>(exchange.admission)) exchange.admission = call_handler(exchange);
        finish(exchange, answer);
      });
    };
    if (!co_await on_pool(first, &WorkerPool::try_post)) {
      exchange.admission = refusal(503, "The service is overloaded; retry later.");
    }
    if (answer.head.empty() && std::holds_alternative<Response>(exchange.admission)) {
      exchange.keep_alive = exchange.keep_alive && may_drain(exchange.checked);
      finish(exchange, answer);
      const bool stands = co_await send(exchange, answer);
      if (!stands || !has_body) co_return stands;  // apart: g++ 12 awaits the right side of && in any case
      co_return co_await drain(exchange.checked);
    }
    if (!has_body || !answer.head.empty()) co_return co_await send(exchange, answer);
    co_return co_await answer_with_body(exchange);
  }

  awaitable<bool> answer_with_body(Exchange& exchange) {
    const auto end = co_await read_body(exchange.checked, exchange.request.body);
    never_expire();
    if (end == BodyEnd::timeout) co_return co_await abandon(exchange, 408, "The body of the request took too long.");
    if (end == BodyEnd::end) co_return co_await abandon(exchange, 400, "The request ended before its body did.");
    if (end == BodyEnd::fault) co_return co_await abandon(exchange, 400, "The chunked body is malformed.");
    if (end == BodyEnd::too_long) {
      // The core answers 413 in its order of checks (C1.8): it needs to see that there is one byte too many, not which.
      exchange.keep_alive = false;
      exchange.request.body.assign(kBodyBytesMax + 1, ' ');
    }
    if (ignores_body(exchange.request.head.method)) exchange.request.body.clear();  // C6.8
    Answer answer;
    const auto second = [this, &exchange, &answer] {
      guarded(exchange, answer, [&] {
        exchange.admission = call_handler(exchange);
        finish(exchange, answer);
      });
    };
    if (!co_await on_pool(second, &WorkerPool::post)) co_return co_await abandon(exchange, 503, "The server stops.");
    co_return co_await send(exchange, answer);
  }

  /// Ends an admitted call that cannot go on, and the connection.
  awaitable<bool> abandon(Exchange& exchange, int status, std::string_view message) {
    Answer answer;
    exchange.keep_alive = false;
    exchange.admission = refuse_call(exchange, status, message);
    finish(exchange, answer);
    co_return co_await send(exchange, answer);
  }

  Response refuse_call(const Exchange& exchange, int status, std::string_view message) {
    const auto* admitted = std::get_if<Admitted>(&exchange.admission);
    if (admitted == nullptr) return refusal(status, message);
    return parts_.handler.refuse(*admitted, exchange.request.head, refusal(status, message));
  }

  Response call_handler(Exchange& exchange) {
    return parts_.handler.answer(std::get<Admitted>(exchange.admission), exchange.request);
  }

  /// The one line where exceptions stop: what the core throws becomes a 500, and a line for the operator.
  template <class Work>
  void guarded(Exchange& exchange, Answer& answer, const Work& work) {
    try {
      work();
    } catch (const std::exception& fault) {
      parts_.log.error("request " + exchange.request_id + ": " + fault.what());
      exchange.admission = refuse_call(exchange, 500, "The server met a fault; retry later.");
      exchange.keep_alive = exchange.keep_alive && exchange.checked.framing == Framing::none;
      exchange.negotiation.clear();
      finish(exchange, answer);
    }
  }

  /// Turns the response in `admission` into bytes.
  void finish(Exchange& exchange, Answer& answer) {
    auto& response = std::get<Response>(exchange.admission);
    if (parts_.compression == Compression::allowed) encode_response(exchange.negotiation, response);
    exchange.keep_alive = exchange.keep_alive && !parts_.stopping;
    answer.status = response.status;
    answer.head = render_answer_head(
        {response, exchange.request_id, parts_.clock.now_ms(), exchange.checked.minor_version, exchange.keep_alive});
    const bool bodiless = exchange.request.head.method == "HEAD" || response.status == 204 || response.status == 304;
    answer.source = bodiless ? nullptr : std::move(response.source);
    if (!bodiless) answer.body = std::move(response.body);
  }

  awaitable<bool> send(Exchange& exchange, const Answer& answer) {
    bool sent = co_await write(answer.head, answer.body);
    if (sent && answer.source != nullptr) sent = co_await write_from(*answer.source);
    parts_.metrics.count_request(exchange.request.head.target, answer.status, Steady::now() - exchange.began);
    co_return sent&& exchange.keep_alive;
  }

  /// In pieces, so that memory is bounded. False: the connection has to end, for the client waits for more.
  awaitable<bool> write_from(BodySource& source) {
    std::string piece(kPieceBytes, '\0');
    std::optional<std::size_t> count;
    const auto read = [this, &source, &piece, &count] {
      try {
        count = source.read(piece);
      } catch (const std::exception& fault) {
        parts_.log.error(std::string("an answer broke off: ") + fault.what());
      }
    };
    while (true) {
      count.reset();
      never_expire();
      const bool ran = co_await on_pool(read, &WorkerPool::post);
      if (!ran || !count) co_return false;
      if (*count == 0) co_return true;
      const bool written = co_await write(std::string_view(piece).substr(0, *count), {});
      if (!written) co_return false;
    }
  }

  /// Runs `work` on the pool and comes back to the strand. False: the pool would not take it.
  template <class Work>
  awaitable<bool> on_pool(const Work& work, bool (WorkerPool::*post)(WorkerPool::Job)) {
    const auto start = [this, &work, post](auto handler) {
      auto back = std::make_shared<decltype(handler)>(std::move(handler));
      const auto executor = stream_.get_executor();
      const auto resume = [back, executor](bool ran) { asio::post(executor, [back, ran] { std::move (*back)(ran); }); };
      const bool taken = (parts_.pool.*post)([&work, resume] {
        work();
        resume(true);
      });
      if (!taken) resume(false);
    };
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(bool)>(start, asio::use_awaitable);
  }

  /// A body that nobody wants is taken only where it is short and the client sends it anyway.
  static bool may_drain(const CheckedHead& checked) {
    return checked.framing == Framing::none || (!checked.expect_continue && checked.content_length <= kBodyBytesMax);
  }

  awaitable<bool> drain(const CheckedHead& checked) {
    std::string ignored;
    const auto end = co_await read_body(checked, ignored);
    co_return end == BodyEnd::complete;
  }

  awaitable<BodyEnd> read_body(const CheckedHead& checked, std::string& body) {
    if (checked.content_length > kBodyBytesMax) co_return BodyEnd::too_long;
    if (checked.expect_continue && unread().empty()) {
      const bool written = co_await write(kContinue, {});
      if (!written) co_return BodyEnd::end;
    }
    expire_in(parts_.limits.body_timeout);
    if (checked.framing == Framing::chunked) co_return co_await read_chunked(body);
    while (unread().size() < checked.content_length) {
      const auto input = co_await read_more();
      if (input != Input::data) co_return input == Input::timeout ? BodyEnd::timeout : BodyEnd::end;
    }
    const auto length = static_cast<std::size_t>(checked.content_length);
    body = unread().substr(0, length);
    consumed_ += length;
    co_return BodyEnd::complete;
  }

  awaitable<BodyEnd> read_chunked(std::string& body) {
    ChunkedBody decoder(kBodyBytesMax);
    while (true) {
      std::size_t taken = 0;
      const auto state = decoder.feed(unread(), taken);
      consumed_ += taken;
      if (state == ChunkedBody::State::fault) co_return BodyEnd::fault;
      if (state == ChunkedBody::State::too_long) co_return BodyEnd::too_long;
      if (state == ChunkedBody::State::complete) break;
      const auto input = co_await read_more();
      if (input != Input::data) co_return input == Input::timeout ? BodyEnd::timeout : BodyEnd::end;
    }
    body = std::move(decoder.data());
    co_return BodyEnd::complete;
  }

  Stream stream_;
  asio::steady_timer timer_;
  ConnectionParts& parts_;
  Welcome welcome_;
  std::function<void()> on_end_;

  std::string buffer_;        // what came and was not taken yet
  std::size_t consumed_ = 0;  // of its front
  bool fresh_ = true;         // no request was answered yet
  bool idle_ = false;         // waits for the first byte of a request
  bool linger_ = true;        // the client may still be taking the last answer
  bool timed_out_ = false;
  std::optional<Steady::time_point> deadline_;
  std::optional<Steady::time_point> armed_;
};

}  // namespace

std::shared_ptr<Connection> make_connection(tcp::socket socket, asio::ssl::context* tls, ConnectionParts& parts,
                                            Welcome welcome, std::function<void()> on_end) {
  if (tls == nullptr) {
    return std::make_shared<Session<PlainStream>>(std::move(socket), parts, welcome, std::move(on_end));
  }
  return std::make_shared<Session<TlsStream>>(TlsStream(std::move(socket), *tls), parts, welcome, std::move(on_end));
}

}  // namespace tonearm::native
