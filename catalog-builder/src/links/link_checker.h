#pragma once
// Checks URLs politely (LINK-1, LINK-2): one request at a time to each host, a pause after it, robots.txt obeyed, and a
// bounded number of hosts in parallel. Used by one thread.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "links/link_record.h"
#include "links/robots.h"
#include "public_web/web.h"

namespace tonearm::builder {

enum class LinkUse : std::uint8_t {
  audio,  // a preview or an original: it must exist, and not be a page
  page,   // the page of a source: it must exist; the licenses that it names are recorded
};

struct Link {
  std::string url;
  LinkUse use = LinkUse::audio;
};

struct LinkCheckOptions {
  std::int64_t pause_ms = 1'000;  // between two requests to a host
  std::size_t hosts_at_once = 8;
};

class LinkChecker {
 public:
  /// REQUIRES: `web` outlives it.
  LinkChecker(public_web::Web& web, LinkCheckOptions options);

  /// Receives a link and its record, without times and failures.
  using Found = std::function<void(const Link&, LinkRecord)>;
  /// Checks each link once, and reports each as soon as its result is known. REQUIRES: each is an http(s) URL.
  void check(const std::vector<Link>& links, const Found& found);

 private:
  /// A link that is being checked, with the URL to request: its own, or the target of a redirect.
  struct PendingLink {
    const Link* link = nullptr;
    std::string url;
    int redirects = 0;
    public_web::WebRequest::Kind kind = public_web::WebRequest::Kind::head;
  };
  /// The state of an origin: scheme, host and port.
  struct Host {
    std::deque<PendingLink> waiting;
    std::int64_t free_at_ms = 0;
    bool is_busy = false;
    bool has_robots = false;
    Robots robots;
    std::uint32_t errors = 0;  // in a row; a host that never responds is abandoned
    std::string last_error;
  };

  void enqueue(PendingLink pending);
  bool start_next();
  void start(const std::string& name, Host& host);
  std::int64_t wait_ms() const;
  void handle_response(const public_web::WebResponse& response);
  void request_robots(const std::string& name, Host& host, PendingLink pending);
  void handle_robots(const std::string& name, Host& host, PendingLink pending, const public_web::WebResponse& response);
  void handle_link(PendingLink pending, const public_web::WebResponse& response);
  void follow_redirect(PendingLink pending, const std::string& location);
  void finish(const PendingLink& pending, LinkState state, std::string reason, std::set<std::string> licenses = {});
  void abandon_host(Host& host);

  public_web::Web& web_;
  LinkCheckOptions options_;
  const Found* found_ = nullptr;
  std::map<std::string, Host> hosts_;
  std::map<std::size_t, std::pair<std::string, PendingLink>> in_flight_;  // by ticket: the origin and the link
  std::size_t last_ticket_ = 0;
  std::size_t remaining_ = 0;
};

}  // namespace tonearm::builder
