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
/// A host that gives no answer so many times in a row is left alone until the next check.
constexpr std::uint32_t kErrorsMax = 3;
/// A host that asks for a longer pause is left alone as well.
constexpr std::uint32_t kRetryAfterSecondsMax = 120;
constexpr std::int64_t kIdleMilliseconds = 1'000;
constexpr std::string_view kAgent = "tonearm";

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

bool is_later(int status) { return status >= 500 || is_one_of(status, {408, 425, 429}); }

}  // namespace

LinkChecker::LinkChecker(Web& web, LinkCheckOptions options) : web_(web), options_(options) {}

void LinkChecker::check(const std::vector<Link>& links, const Found& found) {
  found_ = &found;
  left_ = links.size();
  for (const Link& link : links) {
    const auto kind = link.use == LinkUse::page ? WebRequest::Kind::page : WebRequest::Kind::head;
    queue({&link, link.url, 0, kind});
  }
  while (left_ > 0) {
    while (begin_some()) {
    }
    if (left_ == 0) break;
    if (const auto answer = web_.next(wait_ms())) take(*answer);
  }
  found_ = nullptr;
}

void LinkChecker::queue(Visit visit) { hosts_[origin_of(visit.url)].waiting.push_back(std::move(visit)); }

/// Begins an exchange with the first host that may have one; false: none may.
bool LinkChecker::begin_some() {
  if (asked_.size() >= options_.hosts_at_once) return false;
  const std::int64_t now = web_.now_ms();
  for (auto& [name, host] : hosts_) {
    if (host.is_busy || host.waiting.empty() || host.free_at_ms > now) continue;
    begin(name, host);
    return true;
  }
  return false;
}

void LinkChecker::begin(const std::string& name, Host& host) {
  if (host.errors >= kErrorsMax) return give_up(host);
  if (!host.knows_robots) return ask_robots(name, host, {nullptr, name + "/robots.txt", 0, WebRequest::Kind::page});
  const std::size_t ticket = ++tickets_;
  Visit visit = std::move(host.waiting.front());
  host.waiting.pop_front();
  if (!host.robots.allow(target_of(visit.url))) return end(visit, LinkState::refused, "robots.txt forbids it");
  host.is_busy = true;
  const std::size_t bytes_max = visit.kind == WebRequest::Kind::page ? kPageBytesMax : kStartBytesMax;
  const WebRequest request{ticket, visit.url, visit.kind, bytes_max};
  asked_.emplace(ticket, std::pair(name, std::move(visit)));
  web_.ask(request);
}

/// The rules at `visit` will be those of the host, wherever they lie.
void LinkChecker::ask_robots(const std::string& name, Host& host, Visit visit) {
  const std::size_t ticket = ++tickets_;
  host.is_busy = true;
  web_.ask({ticket, visit.url, visit.kind, kRobotsBytesMax});
  asked_.emplace(ticket, std::pair(name, std::move(visit)));
}

void LinkChecker::give_up(Host& host) {
  for (const Visit& visit : host.waiting) end(visit, LinkState::unreachable, "the host: " + host.last_error);
  host.waiting.clear();
}

/// Until the next host is free, if no answer comes first.
std::int64_t LinkChecker::wait_ms() const {
  std::int64_t until = web_.now_ms() + kIdleMilliseconds;
  for (const auto& [name, host] : hosts_) {
    if (!host.is_busy && !host.waiting.empty()) until = std::min(until, host.free_at_ms);
  }
  return std::max<std::int64_t>(until - web_.now_ms(), 1);
}

void LinkChecker::take(const WebAnswer& answer) {
  const auto asked = asked_.extract(answer.ticket);
  auto& [name, visit] = asked.mapped();
  Host& host = hosts_[name];
  host.is_busy = false;
  host.free_at_ms = web_.now_ms() + std::max<std::int64_t>(options_.pause_ms, 1'000LL * answer.retry_after_s);
  const bool is_error = (answer.status == 0 && !answer.is_not_public) || answer.retry_after_s > kRetryAfterSecondsMax;
  host.errors = is_error ? host.errors + 1 : 0;
  if (is_error) host.last_error = answer.error.empty() ? "asks for a long pause" : answer.error;
  if (answer.retry_after_s > kRetryAfterSecondsMax) {
    host.errors = kErrorsMax;
    host.free_at_ms = 0;
  }
  if (visit.link == nullptr) return take_robots(name, host, std::move(visit), answer);
  take_answer(std::move(visit), answer);
}

/// RFC 9309, 2.3.1: redirects are followed; no robots.txt allows everything; a host that cannot give it for now allows
/// nothing.
void LinkChecker::take_robots(const std::string& name, Host& host, Visit visit, const WebAnswer& answer) {
  if (is_redirect(answer.status) && visit.redirects < kRedirectsMax && is_http_url(answer.location)) {
    ++visit.redirects;
    visit.url = answer.location;
    return ask_robots(name, host, std::move(visit));
  }
  if (answer.is_not_public) {
    for (const Visit& waiting : host.waiting) end(waiting, LinkState::not_public, answer.error);
    host.waiting.clear();
    return;
  }
  if (answer.status == 0 || is_later(answer.status)) {
    if (answer.status != 0) host.last_error = "robots.txt: " + std::to_string(answer.status);
    host.errors = kErrorsMax;
    host.free_at_ms = 0;
    return;
  }
  host.knows_robots = true;
  if (answer.status >= 200 && answer.status < 300) host.robots = Robots(answer.body, kAgent);
}

void LinkChecker::take_answer(Visit visit, const WebAnswer& answer) {
  if (answer.is_not_public) return end(visit, LinkState::not_public, answer.error);
  if (answer.status == 0) return end(visit, LinkState::unreachable, answer.error);
  const std::string status = std::to_string(answer.status);
  if (is_redirect(answer.status)) return follow(std::move(visit), answer.location);
  const bool is_good = answer.status >= 200 && answer.status < 300;
  const bool is_page = visit.link->use == LinkUse::page;
  const bool is_no_audio = !is_page && is_page_type(answer.content_type);
  if (visit.kind == WebRequest::Kind::head && (!is_good || is_no_audio)) {
    visit.kind = WebRequest::Kind::start;  // not every host knows HEAD
    return queue(std::move(visit));
  }
  if (is_one_of(answer.status, {404, 410})) return end(visit, LinkState::gone, status);
  if (is_later(answer.status)) return end(visit, LinkState::unreachable, status);
  if (!is_good) return end(visit, LinkState::refused, status);
  if (is_no_audio) return end(visit, LinkState::gone, "a page in the place of audio");
  end(visit, LinkState::ok, status, is_page ? licenses_named(answer.body) : std::set<std::string>{});
}

void LinkChecker::follow(Visit visit, const std::string& location) {
  if (!is_http_url(location)) return end(visit, LinkState::unreachable, "a redirect to no http(s) address");
  if (++visit.redirects > kRedirectsMax) return end(visit, LinkState::unreachable, "more than 5 redirects");
  visit.url = location;
  queue(std::move(visit));
}

void LinkChecker::end(const Visit& visit, LinkState state, std::string reason, std::set<std::string> licenses) {
  --left_;
  LinkRecord record;
  record.state = state;
  record.reason = std::move(reason);
  record.licenses = std::move(licenses);
  (*found_)(*visit.link, std::move(record));
}

}  // namespace tonearm::builder
