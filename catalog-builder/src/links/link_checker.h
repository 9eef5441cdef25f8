#pragma once
// Looks at addresses, politely (LINK-1, LINK-2): one exchange at a time with each host, a pause behind it, what
// robots.txt forbids left alone, and a bounded number of hosts at once. Used by one thread.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "links/link_record.h"
#include "links/robots.h"
#include "links/web.h"

namespace tonearm::builder {

enum class LinkUse : std::uint8_t {
  audio,  // a preview or an original: is it there, and is it no page?
  page,   // the page of a source: is it there, and which licenses does it name?
};

struct Link {
  std::string url;
  LinkUse use = LinkUse::audio;
};

struct LinkCheckOptions {
  std::int64_t pause_ms = 1'000;  // between two exchanges with one host
  std::size_t hosts_at_once = 8;
};

class LinkChecker {
 public:
  /// `web` outlives it.
  LinkChecker(Web& web, LinkCheckOptions options);

  /// A link and what was found: everything of a record but its times and failures.
  using Found = std::function<void(const Link&, LinkRecord)>;
  /// Looks at all of them, each once, and gives each as soon as it is known. REQUIRES: each is an http(s) URL.
  void check(const std::vector<Link>& links, const Found& found);

 private:
  /// A link on its way, with the address that is asked for: its own, or one that it was redirected to.
  struct Visit {
    const Link* link = nullptr;
    std::string url;
    int redirects = 0;
    WebRequest::Kind kind = WebRequest::Kind::head;
  };
  /// Scheme, name and port.
  struct Host {
    std::deque<Visit> waiting;
    std::int64_t free_at_ms = 0;
    bool is_busy = false;
    bool knows_robots = false;
    Robots robots;
    std::uint32_t errors = 0;  // in a row; one that never answers is not asked for the rest
    std::string last_error;
  };

  void queue(Visit visit);
  bool begin_some();
  void begin(const std::string& name, Host& host);
  std::int64_t wait_ms() const;
  void take(const WebAnswer& answer);
  void ask_robots(const std::string& name, Host& host, Visit visit);
  void take_robots(const std::string& name, Host& host, Visit visit, const WebAnswer& answer);
  void take_answer(Visit visit, const WebAnswer& answer);
  void follow(Visit visit, const std::string& location);
  void end(const Visit& visit, LinkState state, std::string reason, std::set<std::string> licenses = {});
  void give_up(Host& host);

  Web& web_;
  LinkCheckOptions options_;
  const Found* found_ = nullptr;
  std::map<std::string, Host> hosts_;
  std::map<std::size_t, std::pair<std::string, Visit>> asked_;  // by ticket: the host, and what for
  std::size_t tickets_ = 0;
  std::size_t left_ = 0;
};

}  // namespace tonearm::builder
