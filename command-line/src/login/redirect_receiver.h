#pragma once
// Receives the answer of an authorization server: its page sends the browser to an address of this machine (RFC
// 8252, 7.3).

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "text/form.h"

namespace tonearm::cli {

/// The parameters of an answer by name.
using RedirectAnswer = text::FormFields;

class RedirectReceiver {
 public:
  /// Listens on a free port of 127.0.0.1. Throws Failure.
  RedirectReceiver();
  ~RedirectReceiver();
  RedirectReceiver(const RedirectReceiver&) = delete;
  RedirectReceiver& operator=(const RedirectReceiver&) = delete;

  /// "http://127.0.0.1:40000/callback"
  const std::string& address() const { return address_; }

  /// Waits for an answer with this `state`, and shows the person a page. Requests with another state, which anybody on
  /// this machine and any web page can send, get status 400 and are ignored. Returns nothing if the time is over.
  std::optional<RedirectAnswer> wait(const std::string& state, std::chrono::seconds limit);

 private:
  struct Server;

  std::unique_ptr<Server> server_;
  std::string address_;
};

}  // namespace tonearm::cli
