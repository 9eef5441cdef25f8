#include "http/session_lifecycle.h"

namespace tonearm::native {

SessionLifecycle::SessionLifecycle(IoSocket& socket, const SessionContext& context, Connection& connection)
    : socket_(socket),
      context_(context),
      state_(connection.state),
      policy_(connection.policy()),
      deadline_(context.limits),
      send_backlog_(context.limits) {}

void SessionLifecycle::begin(Phase phase) {
  phase_ = phase;
  timed_out_ = false;
  if (phase == Phase::work) {
    state_.publish(Evictable::never, {});
    return state_.set_deadline(Steady::time_point::max());
  }
  const auto now = Steady::now();
  state_.publish(evictable_in(phase), now);
  auto deadline = deadline_.begin(now);
  if (phase == Phase::close) {
    send_backlog_.refresh(unsent());
    send_backlog_.begin(now);
    deadline = now + context_.limits.close_timeout;
  }
  if (phase == Phase::idle && !is_first_request_) {
    if (send_backlog_.needs_refresh()) send_backlog_.refresh(unsent());
    send_backlog_.begin(now);
    idle_end_ = now + context_.limits.idle_timeout;
    deadline = std::min(idle_end_, send_backlog_.deadline());
  }
  state_.set_deadline(deadline);
}

void SessionLifecycle::on_deadline() {
  if (Steady::now() < state_.deadline()) return;
  switch (phase_) {
    case Phase::idle:
      if (!is_first_request_ && !is_idle_too_long()) return;
      [[fallthrough]];
    case Phase::head:
    case Phase::body:
      timed_out_ = true;
      return cancel();
    case Phase::work:
      return;
    case Phase::close:
      // If another client needs the slot, the close timeout is not extended.
      if (!is_closing() && send_backlog_.is_draining(unsent(), Steady::now())) {
        return state_.set_deadline(Steady::now() + context_.limits.close_timeout);
      }
      [[fallthrough]];
    case Phase::handshake:
    case Phase::drain:
    case Phase::answer:
      return abort();
  }
}

/// A client that still reads its last response is not idle.
bool SessionLifecycle::is_idle_too_long() {
  const auto now = Steady::now();
  const bool draining = send_backlog_.is_draining(unsent(), now);
  if (!draining && !send_backlog_.is_empty()) {
    abort();
    return false;
  }
  if (!draining && now >= idle_end_) return true;
  state_.set_deadline(draining ? send_backlog_.deadline() : idle_end_);
  return false;
}

void SessionLifecycle::cancel() {
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void SessionLifecycle::abort() {
  boost::system::error_code ignored;
  socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

}  // namespace tonearm::native
