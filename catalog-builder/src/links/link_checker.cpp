#include "links/link_checker.h"

#include <algorithm>

#include "links/page_license.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

constexpr int kRedirectsMax = 5;
constexpr std::size_t kPageBytesMax = 512 * 1024;
constexpr std::size_t kStartBytesMax = 1024;
/// A host with so many failed requests in a row is abandoned until the next check.
constexpr std::uint32_t kErrorsMax = 3;
/// So is a host that requests a longer pause.
constexpr std::uint32_t kRetryAfterSecondsMax = 120;
constexpr std::int64_t kIdleMilliseconds = 1'000;
constexpr std::string_view kUserAgent = "tonearm";

/// Scheme, host and port of a URL, in lower case.
std::string origin_of(const std::string& url) {
  return ascii::to_lower(text::parse_web_address(url).value_or(text::WebAddress{}).origin);
}

/// Path and query of a URL.
std::string target_of(const std::string& url) {
  const auto address = text::parse_web_address(url).value_or(text::WebAddress{});
  return std::string(address.path.empty() ? "/" : address.path).append(address.query);
}

bool is_one_of(int status, std::initializer_list<int> all) {
  return std::find(all.begin(), all.end(), status) != all.end();
}

bool is_redirect(int status) { return is_one_of(status, {301, 302, 303, 307, 308}); }

bool is_page_type(std::string_view content_type) {
  const std::string type = ascii::to_lower(content_type);
  return type.starts_with("text/html") || type.starts_with("application/xhtml");
}

bool is_temporary(int status) { return status >= 500 || is_one_of(status, {408, 425, 429}); }

}  // namespace

LinkChecker::LinkChecker(public_web::Web& web, LinkCheckOptions options) : web_(web), options_(options) {}

void LinkChecker::check(const std::vector<Link>& links, const Found& found) {
  found_ = &found;
  remaining_ = links.size();
  for (const Link& link : links) {
    const auto kind =
        link.use == LinkUse::page ? public_web::WebRequest::Kind::page : public_web::WebRequest::Kind::head;
    enqueue({&link, link.url, 0, kind});
  }
  while (remaining_ > 0) {
    while (start_next()) {
    }
    if (remaining_ == 0) break;
    if (const auto response = web_.next(wait_ms())) handle_response(*response);
  }
  found_ = nullptr;
}

void LinkChecker::enqueue(PendingLink pending) { hosts_[origin_of(pending.url)].waiting.push_back(std::move(pending)); }

/// Sends a request to the first host that is ready; false if none is.
bool LinkChecker::start_next() {
  if (in_flight_.size() >= options_.hosts_at_once) return false;
  const std::int64_t now = web_.now_ms();
  for (auto& [name, host] : hosts_) {
    if (host.is_busy || host.waiting.empty() || host.free_at_ms > now) continue;
    start(name, host);
    return true;
  }
  return false;
}

void LinkChecker::start(const std::string& name, Host& host) {
  if (host.errors >= kErrorsMax) return abandon_host(host);
  if (!host.has_robots)
    return request_robots(name, host, {nullptr, name + "/robots.txt", 0, public_web::WebRequest::Kind::page});
  const std::size_t ticket = ++last_ticket_;
  PendingLink pending = std::move(host.waiting.front());
  host.waiting.pop_front();
  if (!host.robots.allows(target_of(pending.url))) return finish(pending, LinkState::refused, "robots.txt forbids it");
  host.is_busy = true;
  const std::size_t bytes_max = pending.kind == public_web::WebRequest::Kind::page ? kPageBytesMax : kStartBytesMax;
  const public_web::WebRequest request{ticket, pending.url, pending.kind, bytes_max};
  in_flight_.emplace(ticket, std::pair(name, std::move(pending)));
  web_.start(request);
}

/// Requests the robots.txt of a host from `pending.url`, which may be on another host after a redirect.
void LinkChecker::request_robots(const std::string& name, Host& host, PendingLink pending) {
  const std::size_t ticket = ++last_ticket_;
  host.is_busy = true;
  web_.start({ticket, pending.url, pending.kind, kRobotsBytesMax});
  in_flight_.emplace(ticket, std::pair(name, std::move(pending)));
}

void LinkChecker::abandon_host(Host& host) {
  for (const PendingLink& pending : host.waiting)
    finish(pending, LinkState::unreachable, "the host: " + host.last_error);
  host.waiting.clear();
}

/// Returns the time until the next host is ready.
std::int64_t LinkChecker::wait_ms() const {
  std::int64_t until = web_.now_ms() + kIdleMilliseconds;
  for (const auto& [name, host] : hosts_) {
    if (!host.is_busy && !host.waiting.empty()) until = std::min(until, host.free_at_ms);
  }
  return std::max<std::int64_t>(until - web_.now_ms(), 1);
}

void LinkChecker::handle_response(const public_web::WebResponse& response) {
  const auto flight = in_flight_.extract(response.ticket);
  auto& [name, pending] = flight.mapped();
  Host& host = hosts_[name];
  host.is_busy = false;
  host.free_at_ms = web_.now_ms() + std::max<std::int64_t>(options_.pause_ms, 1'000LL * response.retry_after_s);
  const bool is_error =
      (response.status == 0 && !response.is_not_public) || response.retry_after_s > kRetryAfterSecondsMax;
  host.errors = is_error ? host.errors + 1 : 0;
  if (is_error) host.last_error = response.error.empty() ? "asks for a long pause" : response.error;
  if (response.retry_after_s > kRetryAfterSecondsMax) {
    host.errors = kErrorsMax;
    host.free_at_ms = 0;
  }
  if (pending.link == nullptr) return handle_robots(name, host, std::move(pending), response);
  handle_link(std::move(pending), response);
}

/// RFC 9309, 2.3.1: redirects are followed; without robots.txt everything is allowed; while it is temporarily
/// unavailable, nothing is.
void LinkChecker::handle_robots(const std::string& name, Host& host, PendingLink pending,
                                const public_web::WebResponse& response) {
  if (is_redirect(response.status) && pending.redirects < kRedirectsMax && is_http_url(response.location)) {
    ++pending.redirects;
    pending.url = response.location;
    return request_robots(name, host, std::move(pending));
  }
  if (response.is_not_public) {
    for (const PendingLink& waiting : host.waiting) finish(waiting, LinkState::not_public, response.error);
    host.waiting.clear();
    return;
  }
  if (response.status == 0 || is_temporary(response.status)) {
    if (response.status != 0) host.last_error = "robots.txt: " + std::to_string(response.status);
    host.errors = kErrorsMax;
    host.free_at_ms = 0;
    return;
  }
  host.has_robots = true;
  if (response.status >= 200 && response.status < 300) host.robots = Robots(response.body, kUserAgent);
}

void LinkChecker::handle_link(PendingLink pending, const public_web::WebResponse& response) {
  if (response.is_not_public) return finish(pending, LinkState::not_public, response.error);
  if (response.status == 0) return finish(pending, LinkState::unreachable, response.error);
  const std::string status = std::to_string(response.status);
  if (is_redirect(response.status)) return follow_redirect(std::move(pending), response.location);
  const bool is_success = response.status >= 200 && response.status < 300;
  const bool is_page = pending.link->use == LinkUse::page;
  const bool is_not_audio = !is_page && is_page_type(response.content_type);
  if (pending.kind == public_web::WebRequest::Kind::head && (!is_success || is_not_audio)) {
    pending.kind = public_web::WebRequest::Kind::start;  // not every host supports HEAD
    return enqueue(std::move(pending));
  }
  if (is_one_of(response.status, {404, 410})) return finish(pending, LinkState::gone, status);
  if (is_temporary(response.status)) return finish(pending, LinkState::unreachable, status);
  if (!is_success) return finish(pending, LinkState::refused, status);
  if (is_not_audio) return finish(pending, LinkState::gone, "a page in the place of audio");
  finish(pending, LinkState::ok, status, is_page ? licenses_in(response.body) : std::set<std::string>{});
}

void LinkChecker::follow_redirect(PendingLink pending, const std::string& location) {
  if (!is_http_url(location)) return finish(pending, LinkState::unreachable, "a redirect to no http(s) address");
  if (++pending.redirects > kRedirectsMax) return finish(pending, LinkState::unreachable, "more than 5 redirects");
  pending.url = location;
  enqueue(std::move(pending));
}

void LinkChecker::finish(const PendingLink& pending, LinkState state, std::string reason,
                         std::set<std::string> licenses) {
  --remaining_;
  LinkRecord record;
  record.state = state;
  record.reason = std::move(reason);
  record.licenses = std::move(licenses);
  (*found_)(*pending.link, std::move(record));
}

}  // namespace tonearm::builder
