#pragma once
// The phases of one connection, their deadlines, and its eviction (HOST-20, HOST-22). Runs on the connection's thread.

#include "http/exchange.h"
#include "http/io_threads.h"
#include "http/phase.h"
#include "http/send_backlog.h"

namespace tonearm::native {

class SessionLifecycle {
 public:
  /// The arguments outlive the object. `socket`: the connection's, below TLS.
  SessionLifecycle(IoSocket& socket, const SessionContext& context, Connection& connection);

  /// Publishes the connection as evictable before its first phase, because other connections may arrive before its
  /// thread runs it.
  void publish_new() { state_.publish(Evictable::first, Steady::now()); }

  Phase phase() const { return phase_; }
  /// Starts a phase and its deadline.
  void begin(Phase phase);
  /// Extends the deadline of a phase that reads.
  void on_input() { state_.set_deadline(deadline_.after_input(Steady::now())); }
  /// Records bytes that were handed to the kernel.
  void on_output(std::size_t bytes) { send_backlog_.add(bytes); }
  /// Extends the deadline of a phase that waits for the client to read.
  void extend_answer(std::size_t bytes) { state_.set_deadline(deadline_.after_output(bytes, Steady::now())); }
  /// Ends the grace period of a connection's first request.
  void end_first_request() { is_first_request_ = false; }

  /// Acts on a deadline that the sweep found exceeded. The deadline may have moved since.
  void on_deadline();
  /// Returns whether the phase's reads timed out.
  bool has_timed_out() const { return timed_out_; }

  /// Frees this slot for another client (HOST-20). `has_input`: returns whether unread input is buffered.
  template <class HasInput>
  void evict(const HasInput& has_input);
  bool is_evicting() const { return evicting_; }
  /// Returns whether the connection closes after the current response.
  bool is_closing() const { return evicting_ || policy_ == AcceptPolicy::refuse; }
  /// Returns whether the connection closes as soon as no request is in progress.
  bool closes_when_idle() const { return context_.stopping || evicting_; }
  /// Returns whether eviction ends the current phase at once.
  bool is_interrupted() const { return evicting_ && ends_without_answer(phase_); }

  /// Whether to wait, when closing, for a client that may still be reading the last response.
  bool lingers() const { return lingers_; }
  void expect_linger() { lingers_ = true; }
  void skip_linger() { lingers_ = false; }

  /// Cancels pending operations of the socket.
  void cancel();
  /// Closes without waiting for the client to read what was sent.
  void abort();

 private:
  bool is_idle_too_long();
  std::size_t unsent() { return unsent_bytes(socket_.native_handle()); }

  IoSocket& socket_;
  const SessionContext& context_;
  ConnectionState& state_;
  const AcceptPolicy policy_;
  bool is_first_request_ = true;  // no request has been answered yet
  bool evicting_ = false;
  bool timed_out_ = false;
  bool lingers_ = true;
  Phase phase_ = Phase::handshake;
  PhaseDeadline deadline_;
  Steady::time_point idle_end_;
  SendBacklog send_backlog_;
};

template <class HasInput>
void SessionLifecycle::evict(const HasInput& has_input) {
  evicting_ = true;
  if (phase_ == Phase::handshake) return abort();
  const bool idle = phase_ == Phase::idle && !has_input();
  if (idle || ends_without_answer(phase_)) return cancel();
  if (phase_ != Phase::idle) return;
  idle_end_ = Steady::now();  // the input may be an incomplete request
  state_.set_deadline(idle_end_ + context_.limits.close_timeout);
}

}  // namespace tonearm::native
