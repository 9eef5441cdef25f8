#include "http/session.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <optional>
#include <string>
#include <utility>

#include "http/answer.h"
#include "http/asked.h"
#include "http/gathered_answers.h"
#include "http/phase.h"
#include "http/strict_head.h"
#include "http/tls_stream.h"
#include "http/untaken.h"
#include "system/thread_work.h"

namespace tonearm::native {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using PlainStream = IoSocket;
template <class Value>
using awaitable = asio::awaitable<Value, IoExecutor>;  // NOLINT(readability-identifier-naming): as asio's

constexpr asio::use_awaitable_t<IoExecutor> kAwaitable;
constexpr auto kTuple = asio::as_tuple(kAwaitable);
// Whoever has sent nothing yet costs as little as a usual head needs.
constexpr std::size_t kFirstReadBytes = 512;
constexpr std::size_t kReadBytes = 8 * 1024;
constexpr std::size_t kUnreadBytesMax = kHeadBytesMax + 2 * kReadBytes;
constexpr std::size_t kPieceBytes = 256 * 1024;
// Answers to requests that came together leave together, up to one of these bounds.
constexpr std::size_t kGatheredBytesMax = 256 * 1024;
constexpr std::size_t kGatheredMax = GatheredAnswers::kBuffersMax / 2;
constexpr std::size_t kLingerBytesMax = 1024 * 1024;

template <class Stream>
class HttpSession final : public Session, public std::enable_shared_from_this<HttpSession<Stream>> {
 public:
  HttpSession(Stream stream, SessionParts parts)
      : stream_(std::move(stream)),
        context_(parts.context),
        thread_(parts.thread),
        state_(parts.connection.state),
        asker_{std::move(parts.client), parts.from_proxy, parts.connection.policy()},
        on_end_(std::move(parts.on_end)),
        deadline_(context_.limits),
        untaken_(context_.limits) {
    beast::error_code closed;
    tcp().non_blocking(true, closed);
  }
  ~HttpSession() override { on_end_(); }
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  void start() override {
    // More connections may come before this one's thread has its turn.
    state_.show(Evictable::first, Steady::now());
    asio::co_spawn(stream_.get_executor(), run(this->shared_from_this()), asio::detached);
  }

  void stop_soon() override {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
      if (self->phase_ == Phase::idle) self->cancel();
    });
  }

  void make_room() override {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->leave(); });
  }

  void end_late() override {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->on_deadline(); });
  }

 private:
  IoSocket& tcp() { return beast::get_lowest_layer(stream_); }

  std::string_view unread() const { return {static_cast<const char*>(buffer_.data().data()), buffer_.data().size()}; }

  /// A request that had come before the server began to stop is answered, although nobody had read it yet.
  bool more_waits() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      if (stream_.has_unread()) return true;
    }
    beast::error_code error;
    return tcp().available(error) > 0 && !error;
  }

  /// The next phase starts, and its time.
  void begin(Phase phase) {
    phase_ = phase;
    timed_out_ = false;
    if (phase == Phase::work) {
      state_.show(Evictable::never, {});
      return state_.set_deadline(Steady::time_point::max());
    }
    const auto now = Steady::now();
    state_.show(evictable_in(phase), now);
    auto deadline = deadline_.begin(now);
    if (phase == Phase::close) {
      untaken_.count(untaken_bytes(tcp().native_handle()));
      untaken_.begin(now);
      deadline = now + context_.limits.close_timeout;
    }
    if (phase == Phase::idle && !fresh_) {
      if (untaken_.is_vague()) untaken_.count(untaken_bytes(tcp().native_handle()));
      untaken_.begin(now);
      idle_end_ = now + context_.limits.idle_timeout;
      deadline = std::min(idle_end_, untaken_.end());
    }
    state_.set_deadline(deadline);
  }

  /// The sweep found a deadline that had passed. It may have moved since.
  void on_deadline() {
    if (Steady::now() < state_.deadline()) return;
    switch (phase_) {
      case Phase::idle:
        if (!fresh_ && !is_idle_too_long()) return;
        [[fallthrough]];
      case Phase::head:
      case Phase::body:
        timed_out_ = true;
        return cancel();
      case Phase::work:
        return;
      case Phase::close:
        // Where another client needs the place, the time to close is all there is.
        if (!must_go() && untaken_.goes_on(untaken_bytes(tcp().native_handle()), Steady::now()))
          return state_.set_deadline(Steady::now() + context_.limits.close_timeout);
        [[fallthrough]];
      case Phase::handshake:
      case Phase::drain:
      case Phase::answer:
        return abort();
    }
  }

  /// A client that has not taken its last answer is not idle.
  bool is_idle_too_long() {
    const auto now = Steady::now();
    const bool takes = untaken_.goes_on(untaken_bytes(tcp().native_handle()), now);
    if (!takes && !untaken_.is_none()) {
      abort();
      return false;
    }
    if (!takes && now >= idle_end_) return true;
    state_.set_deadline(takes ? untaken_.end() : idle_end_);
    return false;
  }

  void cancel() {
    beast::error_code ignored;
    tcp().cancel(ignored);
  }

  /// Closes without waiting for the client to take what was sent.
  void abort() {
    beast::error_code ignored;
    tcp().set_option(asio::socket_base::linger(true, 0), ignored);
    tcp().close(ignored);
  }

  /// HOST-20: another client needs the place.
  void leave() {
    leaves_ = true;
    if (phase_ == Phase::handshake) return abort();
    const bool rests = phase_ == Phase::idle && !more_waits();
    if (rests || ends_without_answer(phase_)) return cancel();
    if (phase_ != Phase::idle) return;
    idle_end_ = Steady::now();  // what came may be no whole request
    state_.set_deadline(idle_end_ + context_.limits.close_timeout);
  }

  bool must_go() const { return leaves_ || asker_.policy == AcceptPolicy::refuse; }

  awaitable<Input> read_more(std::size_t bytes) {
    if (timed_out_) co_return Input::timeout;
    const auto [error, count] = co_await stream_.async_read_some(buffer_.prepare(bytes), kTuple);
    buffer_.commit(count);
    if (error) co_return timed_out_ ? Input::timeout : Input::end;
    co_return Input::data;
  }

  /// Of a phase that has not ended with what came.
  awaitable<Input> read_on(std::size_t bytes) {
    const auto goes = [this] { return leaves_ && ends_without_answer(phase_); };
    const auto input = goes() ? Input::end : co_await read_more(bytes);
    if (input == Input::data) state_.set_deadline(deadline_.after_progress(Steady::now()));
    if (input != Input::data && goes()) linger_ = false;  // the kernel alone goes on with the answers before
    co_return input;
  }

  awaitable<void> run(std::shared_ptr<HttpSession> self) {
    // What was answered goes out, also where the next request fails.
    for (const auto step : {&HttpSession::serve_all, &HttpSession::close}) {
      try {
        co_await (self.get()->*step)();
      } catch (const std::exception& failure) {
        self->context_.log.error(std::string("a connection ended by a failure: ") + failure.what());
      }
    }
  }

  awaitable<void> serve_all() {
    bool stands = co_await shake_hands();
    while (stands) {
      stands = co_await wait_for_request();
      std::unique_ptr<Asked> asked;
      if (stands) ready_ = answer_ready(asked);
      if (stands && ready_ != Ready::done) stands = co_await serve_on(std::move(asked));
      fresh_ = false;
    }
  }

  awaitable<bool> shake_hands() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      begin(Phase::handshake);
      const auto [error, none] = co_await stream_.async_handshake(kTuple);
      linger_ = false;
      if (error && !leaves_) context_.metrics.count_failed_handshake();
      co_return !error;
    }
    co_return true;
  }

  /// Ends the output first and takes what still comes, so that no reset destroys the last answer on its way.
  awaitable<void> close() {
    co_await flush();
    if (!linger_) co_return;
    begin(Phase::close);
    if constexpr (std::is_same_v<Stream, TlsStream>) co_await stream_.async_shutdown(kTuple);
    beast::error_code ignored;
    tcp().shutdown(asio::socket_base::shutdown_send, ignored);
    for (std::size_t taken = 0; taken < kLingerBytesMax; taken += kReadBytes) {
      buffer_.clear();
      const auto [error, count] = co_await tcp().async_read_some(buffer_.prepare(kReadBytes), kTuple);
      if (error) break;
    }
  }

  /// For the first bytes of a request. False: none come.
  awaitable<bool> wait_for_request() {
    if (!unread().empty()) co_return true;
    if (!try_flush() && !co_await flush()) co_return false;
    if (ends_when_idle() && !more_waits()) co_return false;
    if (buffer_.capacity() > kFirstReadBytes) buffer_.shrink_to_fit();
    begin(Phase::idle);
    auto input = co_await read_more(kFirstReadBytes);
    while (input == Input::end && ends_when_idle() && more_waits()) input = co_await read_more(kFirstReadBytes);
    linger_ = input == Input::data;
    if (buffer_.size() >= kFirstReadBytes) read_rest();
    co_return linger_;
  }

  /// What came together is answered together.
  void read_rest() {
    beast::error_code error;
    while (buffer_.size() < kReadBytes && !error) {
      buffer_.commit(stream_.read_some(buffer_.prepare(kReadBytes - buffer_.size()), error));
    }
  }

  bool ends_when_idle() const { return context_.stopping || leaves_; }

  /// Answers what came whole, request after request, as long as none has to wait: `asked` is the one that has.
  Ready answer_ready(std::unique_ptr<Asked>& asked) {
    for (std::size_t count = 0; !unread().empty(); ++count) {
      if (count == kGatheredMax || gathered_.bytes() >= kGatheredBytesMax) return Ready::full;
      StrictHead head;
      if (head.scan(unread()) != StrictHead::State::accepted) return Ready::head;
      asked = take_request(head);
      if (asked == nullptr || !answer_at_once(*asked)) return Ready::asked;
      gather(*asked->exchange);
      if (!asked->exchange->keep_alive()) return Ready::last;
    }
    return Ready::done;
  }

  /// After `answer_ready`. True: the connection stands, and its next request may come.
  awaitable<bool> serve_on(std::unique_ptr<Asked> asked) {
    if (!co_await flush() || ready_ == Ready::last) co_return false;
    if (ready_ == Ready::full) {
      begin(Phase::work);
      co_await asio::post(kAwaitable);  // other connections of the thread have their turn
      co_return true;
    }
    if (ready_ == Ready::head) {
      StrictHead head;
      const auto state = co_await read_head(head);
      if (!state) co_return false;
      if (*state == StrictHead::State::refused) co_return co_await refuse(head.error().status, head.error().message);
      asked = take_request(head);
      if (asked != nullptr && answer_at_once(*asked)) {
        gather(*asked->exchange);
        co_return asked->exchange->keep_alive();
      }
    }
    // RFC 9110, 7.6.1: this rule is Beast's own, for Proxy-Connection as well.
    if (asked == nullptr) co_return co_await refuse(400, "The Connection field must be a list of names.");
    co_return co_await serve(*asked);
  }

  /// Nothing: there is no head to come, and what there was to say was said.
  awaitable<std::optional<StrictHead::State>> read_head(StrictHead& head) {
    using State = StrictHead::State;
    auto state = head.scan(unread());
    if (state != State::more) co_return state;
    begin(Phase::head);
    while (state == State::more) {
      const auto input = co_await read_on(std::clamp(buffer_.size(), kFirstReadBytes, kReadBytes));
      if (input != Input::data) {
        if (leaves_) co_return std::nullopt;
        if (input == Input::timeout) co_await refuse(408, "The header of the request took too long.");
        if (input == Input::end) co_await refuse(400, "The request ended before its header did.");
        co_return std::nullopt;
      }
      state = head.scan(unread());
    }
    co_return state;
  }

  /// The server's own answer to what is no request that it could go on with: CHECK-1.
  awaitable<bool> refuse(int status, std::string_view message) {
    auto response = refusal(status, message);
    const auto head = render_head(response, {context_.request_ids.of({}), context_.clock.now_ms(), 1, false});
    context_.metrics.count_request("", status, std::chrono::nanoseconds(0));
    co_await write(head, response);
    co_return false;
  }

  std::unique_ptr<Asked> take_request(const StrictHead& head) {
    auto asked =
        native::take_request(context_, asker_, unread().substr(head.begin(), head.end() - head.begin()), must_go());
    buffer_.consume(head.end());
    return asked;
  }

  /// True: the answer is there. False: nothing has happened, or it has yet to be compressed.
  bool answer_at_once(Asked& asked) {
    auto& exchange = *asked.exchange;
    if (asked.is_refused || asked.is_for_server || exchange.has_body() || !asked.place->is_admitted()) return false;
    if (!asked.is_health_check && !thread_.allowance.allows(exchange.began())) return false;
    const ThreadWork work;
    asked.at_once = exchange.try_admit();
    const auto now = Steady::now();
    thread_.allowance.took(work.took(now, Allowance::kLong), now);
    return asked.at_once == AtOnce::answered;
  }

  /// A request that could not be answered at once.
  awaitable<bool> serve(Asked& asked) {
    auto& exchange = *asked.exchange;
    if (asked.is_refused) co_return co_await refuse(503, "There are too many connections.");
    if (asked.is_for_server) {
      exchange.answer_early({204, {}, ""});  // RFC 9110, 9.3.7
    } else if (!asked.place->is_admitted()) {
      exchange.answer_early(refusal(503, "There are too many connections from this address."));
    } else if (asked.at_once == AtOnce::to_encode) {
      const auto encode = [&exchange] { exchange.encode(); };
      if (!co_await on_pool(encode, &WorkerPool::post)) exchange.answer_early(refusal(503, "The server stops."));
    } else {
      const auto admit = [&exchange] { exchange.admit(); };
      const auto post = asked.is_health_check ? &WorkerPool::try_post_health : &WorkerPool::try_post;
      const bool is_posted = co_await on_pool(admit, post);
      if (!is_posted) exchange.answer_early(refusal(503, "The service is overloaded; retry later."));
    }
    const bool is_early = exchange.is_answered();
    if (!is_early) co_await answer_with_body(exchange, asked.parser);
    const bool written = co_await write(exchange.take_head(), exchange.response());
    exchange.count();
    if (!written || !exchange.keep_alive()) co_return false;
    if (!is_early || !exchange.has_body()) co_return true;
    asked.parser.discards_body = true;
    const auto state = co_await read_body(asked.parser, Phase::drain);
    co_return state == BodyState::complete;
  }

  awaitable<void> answer_with_body(Exchange& exchange, RequestParser& parser) {
    const auto state = co_await read_body(parser, Phase::body);
    auto& body = parser.request.body;
    switch (state) {
      case BodyState::timed_out:
        co_return exchange.abandon(408, "The body of the request took too long.");
      case BodyState::ended:
        co_return exchange.abandon(400, "The request ended before its body did.");
      case BodyState::malformed:
        co_return exchange.abandon(400, "The chunked body is malformed.");
      case BodyState::too_long:  // the core needs to see that there is one byte too many, not which
        body.assign(kBodyBytesMax + 1, ' ');
        break;
      case BodyState::more:
      case BodyState::complete:
        break;
    }
    const auto answer = [&exchange, &body] { exchange.answer(std::move(body)); };
    if (!co_await on_pool(answer, &WorkerPool::post)) exchange.abandon(503, "The server stops.");
  }

  void gather(std::string head, Response& response) {
    gathered_.add(std::move(head));
    gathered_.add(std::move(response.body));
    gathered_.add(std::move(response.shared_body));
  }

  void gather(Exchange& exchange) {
    gather(exchange.take_head(), exchange.response());
    exchange.count();
  }

  /// False: the connection has to end.
  awaitable<bool> write(std::string head, Response& response) {
    gather(std::move(head), response);
    while (response.source != nullptr) {
      if (!co_await flush()) co_return false;
      std::string piece;
      if (!co_await read_piece(*response.source, piece)) co_return false;
      if (piece.empty()) break;
      gathered_.add(std::move(piece));
    }
    co_return co_await flush();
  }

  /// Writes what the socket takes without waiting. False: something is left, or cannot be written.
  bool try_flush() {
    beast::error_code error;
    while (!gathered_.is_empty() && !error) {
      const auto count = stream_.write_some(gathered_.front(), error);
      untaken_.wrote(count);
      gathered_.consume(count);
    }
    return gathered_.is_empty();
  }

  /// Writes all that was gathered; what the client takes moves the deadline. False: the connection has to end.
  awaitable<bool> flush() {
    if (try_flush()) co_return true;
    begin(Phase::answer);
    while (!gathered_.is_empty()) {
      const auto [error, count] = co_await stream_.async_write_some(gathered_.front(), kTuple);
      linger_ = !error;
      if (error) co_return false;
      untaken_.wrote(count);
      gathered_.consume(count);
      if (!gathered_.is_empty()) state_.set_deadline(deadline_.after_taking(count, Steady::now()));
    }
    co_return true;
  }

  /// Of a body that is too large to be held whole; empty after its end. False: the connection has to end, for the
  /// client waits for more.
  awaitable<bool> read_piece(BodySource& source, std::string& piece) {
    std::optional<std::size_t> count;
    piece.resize(kPieceBytes);
    const auto read = [this, &source, &piece, &count] {
      try {
        count = source.read(piece);
      } catch (const std::exception& failure) {
        context_.log.error(std::string("an answer broke off: ") + failure.what());
      }
    };
    const bool ran = co_await on_pool(read, &WorkerPool::post);
    piece.resize(count.value_or(0));
    co_return ran&& count.has_value();
  }

  /// Runs `work` on the pool and comes back to the strand. False: the pool would not take it.
  template <class Work>
  awaitable<bool> on_pool(const Work& work, bool (WorkerPool::*post)(WorkerPool::Job)) {
    begin(Phase::work);
    const auto start = [this, &work, post](auto handler) {
      auto back = std::make_shared<decltype(handler)>(std::move(handler));
      const auto executor = stream_.get_executor();
      const auto resume = [back, executor](bool ran) { asio::post(executor, [back, ran] { std::move (*back)(ran); }); };
      const bool taken = (context_.pool.*post)([&work, resume] {
        work();
        resume(true);
      });
      if (!taken) resume(false);
    };
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<IoExecutor>&, void(bool)>(start, kAwaitable);
  }

  awaitable<BodyState> read_body(RequestParser& parser, Phase phase) {
    if (Asked::is_announced_too_long(parser)) co_return BodyState::too_long;
    if (parser.expects_continue && unread().empty()) {
      begin(Phase::answer);
      const auto [error, count] =
          co_await asio::async_write(stream_, asio::buffer("HTTP/1.1 100 Continue\r\n\r\n", 25), kTuple);
      if (error) co_return BodyState::ended;
    }
    auto state = parse_body(parser);
    if (state != BodyState::more) co_return state;
    begin(phase);
    while (state == BodyState::more) {
      const auto input = co_await read_on(kReadBytes);
      if (input == Input::data) {
        state = parse_body(parser);
      } else {
        state = input == Input::timeout ? BodyState::timed_out : BodyState::ended;
      }
    }
    co_return state;
  }

  BodyState parse_body(RequestParser& parser) {
    std::size_t taken = 0;
    const auto state = parser.put_body(unread(), taken);
    buffer_.consume(taken);
    return state;
  }

  Stream stream_;
  SessionContext& context_;
  IoThread& thread_;
  ConnectionState& state_;
  const Asker asker_;
  const std::function<void()> on_end_;
  beast::flat_buffer buffer_{kUnreadBytesMax};  // what came and was not taken yet
  bool fresh_ = true;                           // no request was answered yet
  bool leaves_ = false;                         // ends behind the request under way
  bool linger_ = true;                          // the client may still be taking the last answer
  bool timed_out_ = false;
  Phase phase_ = Phase::handshake;
  Ready ready_ = Ready::done;
  GatheredAnswers gathered_;
  PhaseDeadline deadline_;
  Steady::time_point idle_end_;
  Untaken untaken_;
};

/// Waits for the first byte of a handshake, as Beast's detect_session: until then a connection of TLS costs no more
/// than a plain one.
class TlsDetector final : public Session, public std::enable_shared_from_this<TlsDetector> {
 public:
  TlsDetector(IoSocket socket, std::shared_ptr<asio::ssl::context> tls, SessionParts parts)
      : socket_(std::move(socket)), tls_(std::move(tls)), given_(std::move(parts)) {}
  ~TlsDetector() override {
    if (!is_over_) given_.on_end();
  }
  TlsDetector(const TlsDetector&) = delete;
  TlsDetector& operator=(const TlsDetector&) = delete;

  void start() override {
    const auto now = Steady::now();
    given_.connection.state.show(Evictable::first, now);
    given_.connection.state.set_deadline(now + given_.context.limits.progress_timeout);
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      self->socket_.async_wait(asio::socket_base::wait_read, [self](const beast::error_code& error) {
        if (!error && self->socket_.is_open()) self->hand_over();
      });
    });
  }
  void stop_soon() override { close(); }
  void end_late() override { close(); }
  void make_room() override { close(); }

 private:
  void close() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      beast::error_code ignored;
      if (!self->is_over_) self->socket_.close(ignored);
    });
  }

  void hand_over() {
    auto& table = given_.table;
    auto& connection = given_.connection;
    TlsStream stream(std::move(socket_), *tls_);
    const auto session = std::make_shared<HttpSession<TlsStream>>(std::move(stream), std::move(given_));
    is_over_ = true;
    table.attach(connection, session);
    session->start();
  }

  IoSocket socket_;
  std::shared_ptr<asio::ssl::context> tls_;
  SessionParts given_;
  bool is_over_ = false;  // another session has the connection
};

}  // namespace

std::shared_ptr<Session> make_session(IoSocket socket, std::shared_ptr<asio::ssl::context> tls, SessionParts parts) {
  if (tls != nullptr) return std::make_shared<TlsDetector>(std::move(socket), std::move(tls), std::move(parts));
  return std::make_shared<HttpSession<PlainStream>>(std::move(socket), std::move(parts));
}

}  // namespace tonearm::native
