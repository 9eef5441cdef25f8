#pragma once
// What the HTTP server serves: the API of the core, or the admin interface. Safe for concurrent calls.

#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "system/fair_queue.h"
#include "tonearm/http.h"
#include "tonearm/http_fields.h"
#include "tonearm/service.h"

namespace tonearm::native {

class Handler {
 public:
  virtual ~Handler() = default;
  /// Decides from the head alone, before the body is read.
  virtual std::variant<Response, Admitted> admit(const RequestHead& head) = 0;
  /// Does the same on an I/O thread, which must not wait, for a call without a body whose `answer` will not wait
  /// either. Returns nothing, without effects, if the call must run on the worker pool.
  virtual std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& /*head*/) {
    return std::nullopt;
  }
  virtual Response answer(const Admitted& admitted, const Request& request) = 0;
  /// Replaces `answer` if the host cannot finish an admitted call.
  virtual Response refuse(const Admitted& /*admitted*/, const RequestHead& /*head*/, Response response) {
    return response;
  }
  /// Adds header fields to every response, also to those that the host makes itself. `head` is empty if there is no
  /// request.
  virtual void complete(const RequestHead& /*head*/, Response& /*response*/) const {}
  /// Returns whether the request is answered even if there are too many connections or requests (HOST-20) and does not
  /// wait for other calls (HOST-29).
  virtual bool is_health_check(const RequestHead& /*head*/) const { return false; }
  /// Returns whether the request only reads a file. It then never waits behind other requests (HOST-46).
  virtual bool is_file_read(const RequestHead& /*head*/) const { return false; }
  /// Returns the client in whose share of the worker pool the request runs (HOST-46).
  virtual JobOwner owner_of(const RequestHead& /*head*/) const { return JobOwner::everyone; }
  /// Returns whether `answer` gets an empty body, whatever the client sends (BODY-4).
  virtual bool ignores_body(const RequestHead& head) const {
    return head.method == "GET" || head.method == "HEAD" || head.method == "DELETE";
  }
};

/// The API.
class ServiceHandler final : public Handler {
 public:
  /// `may_wait`: returns whether the catalog is still being downloaded, so that every call may wait for parts of it.
  /// Empty: never.
  explicit ServiceHandler(Service& service, std::function<bool()> may_wait = {})
      : service_(service), may_wait_(std::move(may_wait)) {}
  std::variant<Response, Admitted> admit(const RequestHead& head) override { return service_.admit(head); }
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& head) override {
    if (may_wait_ && may_wait_()) return std::nullopt;
    return service_.try_admit(head);
  }
  Response answer(const Admitted& admitted, const Request& request) override {
    return service_.answer(admitted, request);
  }
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response) override {
    return service_.refuse(admitted, head, std::move(response));
  }
  bool is_health_check(const RequestHead& head) const override {
    const auto path = http_fields::path_of(head.target);
    return path == "/healthz" || path == "/readyz";  // SERVICE-5
  }

 private:
  Service& service_;
  std::function<bool()> may_wait_;
};

}  // namespace tonearm::native
