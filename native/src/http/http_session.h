#pragma once
// Serves the requests of one connection in order (HttpSession). Requests that need only memory are answered inline, the
// others on the worker pool. Runs on the connection's thread.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <optional>
#include <string>
#include <utility>

#include "http/parsed_head.h"
#include "http/request_reader.h"
#include "http/response_head.h"
#include "http/response_writer.h"
#include "http/session.h"
#include "system/thread_work.h"

namespace tonearm::native {

/// `Stream`: IoSocket or TlsStream.
template <class Stream>
class HttpSession final : public Session, public std::enable_shared_from_this<HttpSession<Stream>> {
 public:
  HttpSession(Stream stream, SessionParts parts)
      : stream_(std::move(stream)),
        context_(parts.context),
        thread_(parts.thread),
        peer_{std::move(parts.client), parts.from_proxy, parts.connection.client(), parts.connection.policy()},
        on_end_(std::move(parts.on_end)),
        lifecycle_(tcp(), context_, parts.connection),
        reader_(stream_, lifecycle_),
        writer_(stream_, lifecycle_) {
    boost::beast::error_code closed;
    tcp().non_blocking(true, closed);
  }
  ~HttpSession() override { on_end_(); }
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  void start() override {
    lifecycle_.publish_new();
    boost::asio::co_spawn(stream_.get_executor(), run(this->shared_from_this()), boost::asio::detached);
  }
  void close_when_idle() override {
    boost::asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
      if (self->lifecycle_.phase() == Phase::idle) self->lifecycle_.cancel();
    });
  }
  void evict() override {
    boost::asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
      self->lifecycle_.evict([&reader = self->reader_] { return reader.has_buffered_input(); });
    });
  }
  void abort() override {
    boost::asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->lifecycle_.abort(); });
  }
  void check_deadline() override {
    boost::asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->lifecycle_.on_deadline(); });
  }

 private:
  using Outcome = WorkerPool::Outcome;

  // Pipelined requests are answered in one turn up to these bounds.
  static constexpr std::size_t kInlineBytesMax = 256 * 1024;
  static constexpr std::size_t kInlineRequestsMax = OutputBuffers::kBuffersMax / 2;
  static constexpr std::size_t kPieceBytes = 256 * 1024;
  static constexpr std::size_t kLingerBytesMax = 1024 * 1024;

  IoSocket& tcp() { return boost::beast::get_lowest_layer(stream_); }

  awaitable<void> run(std::shared_ptr<HttpSession> self) {
    // Finished responses are sent even if the next request fails.
    for (const auto step : {&HttpSession::serve_all, &HttpSession::close}) {
      try {
        co_await (self.get()->*step)();
      } catch (const std::exception& failure) {
        self->context_.log.error(std::string("connection closed after an internal error: ") + failure.what());
      }
    }
  }

  awaitable<void> serve_all() {
    bool open = co_await handshake();
    while (open) {
      open = co_await wait_for_request();
      if (open) open = co_await serve_requests();
      lifecycle_.end_first_request();
    }
  }

  awaitable<bool> handshake() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      lifecycle_.begin(Phase::handshake);
      const auto [error, none] = co_await stream_.async_handshake(kTuple);
      lifecycle_.skip_linger();
      if (error && !lifecycle_.is_evicting()) context_.metrics.count_failed_handshake();
      co_return !error;
    }
    co_return true;
  }

  /// Closes the sending side first and reads what still arrives, so that no reset destroys the last response.
  awaitable<void> close() {
    co_await writer_.flush();
    if (!lifecycle_.lingers()) co_return;
    lifecycle_.begin(Phase::close);
    if constexpr (std::is_same_v<Stream, TlsStream>) co_await stream_.async_shutdown(kTuple);
    boost::beast::error_code ignored;
    tcp().shutdown(boost::asio::socket_base::shutdown_send, ignored);
    co_await reader_.discard(kLingerBytesMax);
  }

  /// Waits for the first bytes of a request. Returns false if there are none.
  awaitable<bool> wait_for_request() {
    if (!reader_.unread().empty()) co_return true;
    if (!writer_.try_flush()) {
      const bool flushed = co_await writer_.flush();
      if (!flushed) co_return false;
    }
    const bool has_input = co_await reader_.wait_for_request();
    co_return has_input;
  }

  /// Answers the requests that were read: inline, and then the one that must wait. Returns false if the connection must
  /// close.
  awaitable<bool> serve_requests() {
    std::unique_ptr<PendingRequest> pending;
    const auto stop = answer_inline(pending);
    if (stop == InlineStop::input_consumed) co_return true;
    if (!co_await writer_.flush() || stop == InlineStop::last_response) co_return false;
    if (stop == InlineStop::turn_over) {
      lifecycle_.begin(Phase::work);
      co_await boost::asio::post(kAwaitable);
      co_return true;
    }
    if (stop == InlineStop::head) {
      StrictHead head;
      if (!co_await read_head(head)) co_return false;
      pending = consume_request(head);
      if (try_answer_inline(*pending)) {
        finish(*pending->exchange);
        co_return pending->exchange->keep_alive();
      }
    }
    co_return co_await serve(*pending);
  }

  /// Answers complete requests in the order of arrival until one must wait, which `pending` then is.
  InlineStop answer_inline(std::unique_ptr<PendingRequest>& pending) {
    for (std::size_t count = 0; !reader_.unread().empty(); ++count) {
      if (count == kInlineRequestsMax || writer_.bytes() >= kInlineBytesMax) return InlineStop::turn_over;
      StrictHead head;
      pending.reset();  // its client may have only one slot
      if (head.scan(reader_.unread()) != StrictHead::State::accepted) return InlineStop::head;
      pending = consume_request(head);
      if (!try_answer_inline(*pending)) return InlineStop::request;
      finish(*pending->exchange);
      if (!pending->exchange->keep_alive()) return InlineStop::last_response;
    }
    return InlineStop::input_consumed;
  }

  /// Returns whether the request was answered. If not, nothing has happened, or the response must be compressed.
  bool try_answer_inline(PendingRequest& pending) {
    auto& exchange = *pending.exchange;
    if (pending.is_refused || pending.is_for_server) return false;
    if (exchange.has_body() || !pending.slot->is_admitted()) return false;
    if (!pending.is_health_check && !thread_.inline_budget.is_available(exchange.began())) return false;
    const ThreadWork work(exchange.began());
    pending.inline_result = exchange.try_admit();
    const auto now = Steady::now();
    thread_.inline_budget.charge(work.elapsed(now, InlineBudget::kSlow), now);
    return pending.inline_result == InlineResult::answered;
  }

  /// Returns false if there is no acceptable head; the client has then received an error response, if any.
  awaitable<bool> read_head(StrictHead& head) {
    auto state = StrictHead::State::more;
    const auto input = co_await reader_.read_head(head, state);
    if (input == Input::data) {
      if (state == StrictHead::State::refused) co_await refuse(head.error().status, head.error().message);
      co_return state == StrictHead::State::accepted;
    }
    if (lifecycle_.is_evicting()) co_return false;
    if (input == Input::timeout) co_await refuse(408, "The header of the request took too long.");
    if (input == Input::end) co_await refuse(400, "The request ended before its header did.");
    co_return false;
  }

  /// Consumes an accepted head.
  std::unique_ptr<PendingRequest> consume_request(const StrictHead& head) {
    const auto bytes = reader_.unread().substr(head.begin(), head.end() - head.begin());
    const auto after = lifecycle_.is_closing() ? AfterResponse::close : AfterResponse::keep_open;
    auto pending = make_pending(context_, peer_, parse_head(bytes), head.framing(), after);
    reader_.consume(head.end());
    return pending;
  }

  /// Answers input that is not a request, or a request of a connection over the limit (CHECK-1). Returns false.
  awaitable<bool> refuse(int status, std::string_view message) {
    auto response = refusal(status, message);
    context_.handler.complete({}, response);
    const auto head = render_head(response, {context_.request_ids.id_for({}), context_.clock.now_ms(), 1, false});
    context_.metrics.count_request("", status, std::chrono::nanoseconds(0));
    co_await write(head, response, JobOwner::everyone);
    co_return false;
  }

  /// Answers a request that could not be answered inline.
  awaitable<bool> serve(PendingRequest& pending) {
    if (pending.is_refused) co_return co_await refuse(503, "There are too many connections.");
    auto& exchange = *pending.exchange;
    co_await admit(pending);
    const bool is_early = exchange.is_answered();
    if (!is_early) co_await answer_with_body(pending);
    const auto in_memory = reserve_memory(pending);
    const bool written = co_await write(exchange.take_head(), exchange.response(), pending.placement.owner);
    exchange.count();
    if (!written || !exchange.keep_alive()) co_return false;
    if (!is_early || !exchange.has_body()) co_return true;
    pending.body->discards_body = true;
    const auto state = co_await reader_.read_body(*pending.body, Phase::drain);
    co_return state == BodyState::complete;
  }

  /// Counts a long response until it is written. Replaces it by 503 if too much waits for this client (HOST-47).
  std::unique_ptr<AnswerBudget::Pending> reserve_memory(PendingRequest& pending) {
    auto& exchange = *pending.exchange;
    const auto bytes = exchange.response().text().size();
    if (bytes < context_.limits.answer_bytes_min) return nullptr;
    auto reserved = context_.answers.try_reserve(pending.client, bytes, this->weak_from_this());
    if (reserved == nullptr) exchange.answer_early(refusal(503, "Too many responses wait to be read."));
    return reserved;
  }

  /// Runs what is possible before the body is read.
  awaitable<void> admit(PendingRequest& pending) {
    auto& exchange = *pending.exchange;
    if (pending.is_for_server) {
      exchange.answer_early({204, {}, ""});  // RFC 9110, 9.3.7
    } else if (!pending.slot->is_admitted()) {
      exchange.answer_early(refusal(503, "There are too many connections from this address."));
    } else if (pending.inline_result == InlineResult::needs_encoding) {
      const auto encode = [&exchange] { exchange.encode(); };
      const auto outcome = co_await on_pool(encode, &WorkerPool::post, pending.placement);
      if (outcome != Outcome::accepted) exchange.answer_early(refusal(503, "The server stops."));
    } else {
      const auto work = [&exchange] { exchange.admit(); };
      const auto outcome = co_await on_pool(work, &WorkerPool::try_post, pending.placement);
      if (outcome == Outcome::full) exchange.answer_early(refusal(503, "The service is overloaded; retry later."));
      if (outcome == Outcome::client_is_full) exchange.answer_early(refusal(429, "Too many requests wait already."));
    }
  }

  awaitable<void> answer_with_body(PendingRequest& pending) {
    auto& exchange = *pending.exchange;
    const auto state = co_await reader_.read_body(*pending.body, Phase::body);
    auto& body = pending.body->body;
    switch (state) {
      case BodyState::timed_out:
        co_return exchange.abandon(408, "The body of the request took too long.");
      case BodyState::ended:
        co_return exchange.abandon(400, "The request ended before its body did.");
      case BodyState::malformed:
        co_return exchange.abandon(400, "The chunked body is malformed.");
      case BodyState::too_long:  // the core needs to know only that the body is one byte too long
        body.assign(kBodyBytesMax + 1, ' ');
        break;
      case BodyState::more:
      case BodyState::complete:
        break;
    }
    const auto answer = [&exchange, &body] { exchange.answer(std::move(body)); };
    const auto outcome = co_await on_pool(answer, &WorkerPool::post, pending.placement);
    if (outcome != Outcome::accepted) exchange.abandon(503, "The server stops.");
  }

  /// Adds a response to the output and counts it.
  void finish(Exchange& exchange) {
    writer_.add(exchange.take_head(), exchange.response());
    exchange.count();
  }

  /// Writes a response and, piece by piece, its source. Returns false if the connection must close.
  awaitable<bool> write(std::string head, Response& response, JobOwner owner) {
    writer_.add(std::move(head), response);
    while (response.source != nullptr) {
      if (!co_await writer_.flush()) co_return false;
      std::string piece;
      if (!co_await read_piece(*response.source, piece, owner)) co_return false;
      if (piece.empty()) break;
      writer_.add(std::move(piece));
    }
    co_return co_await writer_.flush();
  }

  /// Reads a piece of a body that is too large for memory; it is empty at the end. Returns false if that fails: the
  /// connection must close, because the client expects more.
  awaitable<bool> read_piece(BodySource& source, std::string& piece, JobOwner owner) {
    std::optional<std::size_t> count;
    piece.resize(kPieceBytes);
    const auto read = [this, &source, &piece, &count] {
      try {
        count = source.read(piece);
      } catch (const std::exception& failure) {
        context_.log.error(std::string("response aborted: ") + failure.what());
      }
    };
    const auto outcome = co_await on_pool(read, &WorkerPool::post, {WorkerPool::ThreadGroup::files, owner});
    piece.resize(count.value_or(0));
    co_return outcome == Outcome::accepted&& count.has_value();
  }

  /// Runs `work` on the pool. Returns why the pool rejects it, or `accepted`.
  template <class Work>
  awaitable<Outcome> on_pool(const Work& work, PostJob post, WorkerPool::Placement placement) {
    lifecycle_.begin(Phase::work);
    co_return co_await run_on_pool(context_.pool, post, placement, stream_.get_executor(), work);
  }

  Stream stream_;
  SessionContext& context_;
  IoThread& thread_;
  const Peer peer_;
  const std::function<void()> on_end_;
  SessionLifecycle lifecycle_;
  RequestReader<Stream> reader_;
  ResponseWriter<Stream> writer_;
};

}  // namespace tonearm::native
