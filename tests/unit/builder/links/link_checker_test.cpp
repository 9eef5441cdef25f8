#include "links/link_checker.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace tonearm::builder {
namespace {

/// A fake network with scripted responses and its own clock; a request takes 10 ms.
class FakeWeb final : public public_web::Web {
 public:
  struct SentRequest {
    std::string url;
    public_web::WebRequest::Kind kind;
    std::int64_t at_ms;
  };

  /// Responses by URL. The default is 200 without a body, and 404 for robots.txt.
  public_web::WebResponse& at(const std::string& url) { return responses_[url]; }
  /// Responses to HEAD only.
  public_web::WebResponse& at_head(const std::string& url) { return responses_["HEAD " + url]; }

  void start(const public_web::WebRequest& request) override {
    sent.push_back({request.url, request.kind, now_});
    public_web::WebResponse response = response_to(request);
    response.ticket = request.ticket;
    in_flight_.emplace(now_ + 10, std::move(response));
    parallel_max = std::max(parallel_max, in_flight_.size());
  }
  std::optional<public_web::WebResponse> next(std::int64_t wait_ms) override {
    const std::int64_t until = now_ + wait_ms;
    if (in_flight_.empty() || in_flight_.begin()->first > until) {
      now_ = until;
      return std::nullopt;
    }
    now_ = std::max(now_, in_flight_.begin()->first);
    public_web::WebResponse response = std::move(in_flight_.begin()->second);
    in_flight_.erase(in_flight_.begin());
    return response;
  }
  std::int64_t now_ms() override { return now_; }

  std::vector<std::string> sent_urls() const {
    std::vector<std::string> urls;
    for (const SentRequest& one : sent) urls.push_back(one.url);
    return urls;
  }

  std::vector<SentRequest> sent;
  std::size_t parallel_max = 0;

 private:
  public_web::WebResponse response_to(const public_web::WebRequest& request) const {
    for (const auto& key :
         {(request.kind == public_web::WebRequest::Kind::head ? "HEAD " : "GET ") + request.url, request.url}) {
      if (const auto found = responses_.find(key); found != responses_.end()) return found->second;
    }
    public_web::WebResponse response;
    response.status = request.url.ends_with("/robots.txt") ? 404 : 200;
    return response;
  }

  std::map<std::string, public_web::WebResponse> responses_;
  std::multimap<std::int64_t, public_web::WebResponse> in_flight_;
  std::int64_t now_ = 1'000'000;
};

std::map<std::string, LinkRecord> check(FakeWeb& web, const std::vector<Link>& links, LinkCheckOptions options = {}) {
  std::map<std::string, LinkRecord> records;
  LinkChecker(web, options).check(links, [&](const Link& link, LinkRecord record) {
    const bool is_new = records.emplace(link.url, std::move(record)).second;
    CHECK(is_new);
  });
  CHECK(records.size() == links.size());
  return records;
}

public_web::WebResponse status(int value) {
  public_web::WebResponse response;
  response.status = value;
  return response;
}

public_web::WebResponse silence() {
  public_web::WebResponse response;
  response.error = "no answer in time";
  return response;
}

public_web::WebResponse redirect(const std::string& location) {
  public_web::WebResponse response = status(302);
  response.location = location;
  return response;
}

const std::string kAudio = "https://a.example/x.mp3";
const std::string kPage = "https://a.example/x";

LinkRecord audio_record(const public_web::WebResponse& response) {
  FakeWeb web;
  web.at(kAudio) = response;
  return check(web, {{kAudio, LinkUse::audio}}).at(kAudio);
}

}  // namespace

// LINK-1
TEST_CASE("a success is ok, and a missing link is gone") {
  CHECK(audio_record(status(200)).state == LinkState::ok);
  CHECK(audio_record(status(206)).state == LinkState::ok);
  for (const int lost : {404, 410}) CHECK(audio_record(status(lost)).state == LinkState::gone);
  for (const int later : {408, 429, 500, 503}) CHECK(audio_record(status(later)).state == LinkState::unreachable);
  for (const int closed : {401, 403, 418, 451}) CHECK(audio_record(status(closed)).state == LinkState::refused);
  CHECK(audio_record(silence()).state == LinkState::unreachable);
  CHECK(audio_record(silence()).reason == "no answer in time");
}

TEST_CASE("a page instead of audio is gone, but a HEAD response alone does not decide it") {
  public_web::WebResponse html = status(200);
  html.content_type = "Text/HTML; charset=utf-8";
  CHECK(audio_record(html).state == LinkState::gone);
  FakeWeb web;
  web.at_head(kAudio) = html;
  CHECK(check(web, {{kAudio, LinkUse::audio}}).at(kAudio).state == LinkState::ok);
  web.at_head(kAudio) = status(404);
  CHECK(check(web, {{kAudio, LinkUse::audio}}).at(kAudio).state == LinkState::ok);
}

TEST_CASE("the licenses on a page are recorded") {
  FakeWeb web;
  web.at(kPage) = status(200);
  web.at(kPage).content_type = "text/html";
  web.at(kPage).body = R"(<a href="https://creativecommons.org/licenses/by/4.0/">)";
  const auto record = check(web, {{kPage, LinkUse::page}}).at(kPage);
  CHECK(record.state == LinkState::ok);
  CHECK(record.licenses == std::set<std::string>{"https://creativecommons.org/licenses/by/4.0/"});
}

TEST_CASE("at most five redirects are followed, and only to http and https") {
  FakeWeb web;
  web.at("https://a.example/r1") = redirect("https://b.example/r2");
  web.at("https://b.example/r2") = redirect("https://b.example/gone");
  web.at("https://b.example/gone") = status(404);
  web.at("https://a.example/circle") = redirect("https://a.example/circle");
  web.at("https://a.example/file") = redirect("file:///etc/passwd");
  web.at("https://a.example/none") = redirect("");
  const auto records = check(web, {{"https://a.example/r1", LinkUse::audio},
                                   {"https://a.example/circle", LinkUse::audio},
                                   {"https://a.example/file", LinkUse::audio},
                                   {"https://a.example/none", LinkUse::page}});
  CHECK(records.at("https://a.example/r1").state == LinkState::gone);
  CHECK(records.at("https://a.example/circle").reason == "more than 5 redirects");
  CHECK(records.at("https://a.example/file").reason == "a redirect to no http(s) address");
  CHECK(records.at("https://a.example/none").state == LinkState::unreachable);
  const auto urls = web.sent_urls();
  CHECK(std::count(urls.begin(), urls.end(), "https://a.example/circle") == 6);
}

// LINK-2
TEST_CASE("robots.txt is requested first, and what it forbids is not requested") {
  FakeWeb web;
  web.at("https://a.example/robots.txt") = status(200);
  web.at("https://a.example/robots.txt").body = "User-agent: *\nDisallow: /x.mp3\n";
  web.at("https://b.example/r") = redirect(kAudio);
  const auto records =
      check(web, {{kAudio, LinkUse::audio}, {"https://b.example/r", LinkUse::audio}, {kPage, LinkUse::page}});
  CHECK(records.at(kAudio).state == LinkState::refused);
  CHECK(records.at(kAudio).reason == "robots.txt forbids it");
  CHECK(records.at("https://b.example/r").state == LinkState::refused);
  CHECK(records.at(kPage).state == LinkState::ok);
  const auto urls = web.sent_urls();
  CHECK(urls.front() == "https://a.example/robots.txt");
  CHECK(std::count(urls.begin(), urls.end(), kAudio) == 0);
}

TEST_CASE("a robots.txt behind a redirect applies to the redirecting host") {
  FakeWeb web;
  web.at("https://a.example/robots.txt") = redirect("https://c.example/r/robots.txt");
  web.at("https://c.example/r/robots.txt") = status(200);
  web.at("https://c.example/r/robots.txt").body = "User-agent: *\nDisallow: /\n";
  web.at("https://b.example/robots.txt") = redirect("https://b.example/robots.txt");
  const auto records = check(web, {{kAudio, LinkUse::audio}, {"https://b.example/x", LinkUse::page}});
  CHECK(records.at(kAudio).reason == "robots.txt forbids it");
  CHECK(records.at("https://b.example/x").state == LinkState::ok);  // without an end, it is as good as none
  CHECK(web.sent.size() == 2 + 6 + 1);
}

TEST_CASE("a host whose robots.txt is temporarily unavailable gets no other request") {
  FakeWeb web;
  web.at("https://a.example/robots.txt") = status(503);
  const auto records = check(web, {{kAudio, LinkUse::audio}, {kPage, LinkUse::page}});
  CHECK(records.at(kAudio).state == LinkState::unreachable);
  CHECK(records.at(kPage).reason == "the host: robots.txt: 503");
  CHECK(web.sent.size() == 1);
}

TEST_CASE("requests to a host are paused, and other hosts do not wait") {
  FakeWeb web;
  std::vector<Link> links;
  links.reserve(50);
  for (int i = 0; i < 20; ++i) links.push_back({"https://a.example/" + std::to_string(i), LinkUse::page});
  for (int i = 0; i < 30; ++i) links.push_back({"https://h" + std::to_string(i) + ".example/", LinkUse::page});
  check(web, links, {.pause_ms = 500, .hosts_at_once = 4});
  CHECK(web.parallel_max == 4);
  std::map<std::string, std::int64_t> last;
  for (const auto& [url, kind, at_ms] : web.sent) {
    const std::string host = url.substr(0, url.find('/', 8));
    if (last.contains(host)) CHECK(at_ms - last[host] >= 510);
    last[host] = at_ms;
  }
}

TEST_CASE("a requested pause is obeyed, and a long one ends the checks of the host") {
  FakeWeb web;
  web.at(kAudio) = status(503);
  web.at(kAudio).retry_after_s = 60;
  web.at("https://b.example/1") = status(429);
  web.at("https://b.example/1").retry_after_s = 3'600;
  const auto records = check(web, {{kAudio, LinkUse::page},
                                   {kPage, LinkUse::page},
                                   {"https://b.example/1", LinkUse::page},
                                   {"https://b.example/2", LinkUse::page}});
  CHECK(records.at(kPage).state == LinkState::ok);
  CHECK(records.at("https://b.example/2").reason == "the host: asks for a long pause");
  std::map<std::string, std::int64_t> at;
  for (const auto& one : web.sent) at[one.url] = one.at_ms;
  CHECK(at.at(kPage) - at.at(kAudio) >= 60'000);
  CHECK_FALSE(at.contains("https://b.example/2"));
}

TEST_CASE("a host is abandoned after three failed requests in a row") {
  FakeWeb web;
  std::vector<Link> links;
  for (int i = 0; i < 10; ++i) {
    links.push_back({"https://a.example/" + std::to_string(i), LinkUse::page});
    web.at(links.back().url) = silence();
  }
  const auto records = check(web, links);
  CHECK(web.sent.size() == 4);  // robots.txt too
  CHECK(records.at("https://a.example/9").reason == "the host: no answer in time");
  CHECK(records.at("https://a.example/9").state == LinkState::unreachable);
}

TEST_CASE("links to private networks are reported as such") {
  FakeWeb web;
  public_web::WebResponse inside = silence();
  inside.is_not_public = true;
  inside.error = "its address is not public";
  web.at("http://10.0.0.1/robots.txt") = inside;
  web.at("https://a.example/r") = redirect("http://10.0.0.1/x");
  const auto records = check(web, {{"http://10.0.0.1/x", LinkUse::audio}, {"https://a.example/r", LinkUse::audio}});
  for (const auto& [url, record] : records) CHECK(record.state == LinkState::not_public);
}

}  // namespace tonearm::builder
