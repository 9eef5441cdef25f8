#include "pages/pages.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <set>
#include <thread>

#include "files/open_file.h"
#include "json/writer.h"
#include "messages/message.h"
#include "text/policy_source.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kScript = "/server/render.js";
constexpr std::string_view kLanguageCookie = "tonearm_language";
constexpr std::size_t kScriptBytesMax = 10'000'000;
constexpr std::size_t kRenderProcessesMax = 4;
constexpr std::size_t kCachedPagesMax = 200;
constexpr std::int64_t kCachedMs = 60'000;
constexpr std::string_view kAnySource = "'self' https: http:";

std::unique_ptr<PageRenderer> open_renderer(const std::string& site,
                                            const std::function<void(const std::string&)>& on_end) {
  const auto path = site + std::string(kScript);
  const auto file = site.empty() ? nullptr : OpenFile::open(path);
  if (!file) return nullptr;
  if (file->size() > kScriptBytesMax) throw std::runtime_error(path + " is too large");
  std::string script(static_cast<std::size_t>(file->size()), '\0');
  script.resize(file->read(0, script.data(), script.size()));
  const auto processes = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kRenderProcessesMax);
  return std::make_unique<PageRenderer>(
      PageRenderer::Options{.script = std::move(script), .name = path, .processes = processes, .on_end = on_end});
}

/// Whether a page shows a shared collection. It is neither cached nor found by search engines, so that it ends with its
/// link.
bool is_shared_page(std::string_view path) { return path.starts_with("/shared/") || path.starts_with("/embed/"); }

/// What the page's script reads of a request. Also identifies a cached page.
std::string script_request(const RequestHead& head) {
  std::string languages;
  for (const auto& header : head.headers) {
    if (is_named(header, "Accept-Language")) languages.append(languages.empty() ? "" : ",").append(header.value);
  }
  const auto language = cookie(head.headers, kLanguageCookie).value_or("");
  json::Writer out;
  out.begin_object();
  out.string("target", text::valid_utf8(head.target));
  out.string("accept_language", text::valid_utf8(languages));
  out.string("cookie", language.empty() ? "" : std::string(kLanguageCookie) + '=' + text::valid_utf8(language));
  out.end_object();
  return out.take();
}

Response plain_answer(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}}, std::move(text)};
}

Response xml_answer(std::string text) {
  return {200, {{"Content-Type", "application/xml"}, {"Cache-Control", "public, max-age=3600"}}, std::move(text)};
}

/// Returns the number in /sitemap-{n}.xml, or nothing for any other path.
std::optional<std::size_t> sitemap_number(std::string_view path) {
  constexpr std::string_view kBegin = "/sitemap-";
  constexpr std::string_view kEnd = ".xml";
  if (path.size() <= kBegin.size() + kEnd.size() || !path.starts_with(kBegin) || !path.ends_with(kEnd)) return {};
  path = path.substr(kBegin.size(), path.size() - kBegin.size() - kEnd.size());
  std::size_t number = 0;
  const auto read = std::from_chars(path.data(), path.data() + path.size(), number);
  const bool is_number = read.ec == std::errc() && read.ptr == path.data() + path.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// Returns the sources of media-src for the origins of a catalog's audio (WEB-14).
std::string policy_sources(const std::set<std::string>& origins) {
  constexpr std::size_t kOriginsMax = 100;  // proxies reject longer headers
  if (origins.empty() || origins.size() > kOriginsMax) return std::string(kAnySource);
  std::set<std::string> sources;
  for (const auto& origin : origins) {
    const auto source = text::policy_source(origin);
    if (!source) continue;
    for (auto& allowed : text::with_subdomains(*source)) sources.insert(std::move(allowed));
  }
  std::string list = "'self'";
  for (const auto& source : sources) list.append(" ").append(source);
  return list;
}

}  // namespace

Pages::Pages(Dependencies dependencies)
    : dependencies_(std::move(dependencies)),
      sitemap_(dependencies_.operator_account),
      renderer_(open_renderer(dependencies_.site, dependencies_.on_renderer_end)),
      cache_(kCachedPagesMax),
      audio_sources_(kAnySource) {}

Response Pages::answer(const RequestHead& head) {
  if (head.method != "GET" && head.method != "HEAD") return method_not_allowed("GET, HEAD");
  if (auto response = answer_file(path_of(head.target))) return *std::move(response);
  if (!renderer_) return plain_answer(503, "The site is not built.\n");
  const auto request = script_request(head);
  if (is_shared_page(path_of(head.target))) {
    auto response = render(request, load_answers(request));
    for (auto& header : response.headers) {
      if (is_named(header, "Cache-Control")) header.value = "no-store";
    }
    response.headers.push_back({"X-Robots-Tag", "noindex"});
    return response;
  }
  if (auto response = cached(request)) return *std::move(response);
  auto version = dependencies_.backend.catalog_version();  // at the latest that of the answers
  auto response = render(request, load_answers(request));
  if (response.status == 200) {
    const std::lock_guard lock(mutex_);
    cache_.at(request) = {std::move(version), dependencies_.clock.now_ms() + kCachedMs, response};
  }
  return response;
}

std::optional<Response> Pages::cached(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto* const page = cache_.find(key);
  const bool is_current = page != nullptr && page->version == dependencies_.backend.catalog_version() &&
                          page->expires_ms > dependencies_.clock.now_ms();
  return is_current ? std::optional(page->response) : std::nullopt;
}

/// Returns the member `answers`: for each path that the page needs, the status and the body of the API's answer.
std::string Pages::load_answers(const std::string& request) {
  const auto plan = read_object(renderer_->call("plan", request));
  json::Writer answers;
  answers.begin_object();
  for (const auto& path : plan.at("needs").as_array()) {
    const std::string below(path.as_string());
    const auto response = load_answer(below);
    answers.key(below);
    answers.begin_object();
    answers.key("status");
    answers.raw(std::to_string(response.status));
    answers.key("body");
    answers.raw(response.body);
    answers.end_object();
  }
  answers.end_object();
  return answers.take();
}

/// Returns the answer to a path below /v1, or below /site for a shared collection.
ClientResponse Pages::load_answer(const std::string& path) {
  constexpr std::string_view kShared = "shared/";
  if (path.starts_with(kShared)) {
    auto shared = dependencies_.shared_collection(path.substr(kShared.size()));
    return {shared.status, std::move(shared.body)};
  }
  auto response = dependencies_.operator_account.send({"GET", "/v1/" + path});
  if (response.status >= 500) {
    throw std::runtime_error("the API answered with status " + std::to_string(response.status));
  }
  read_object(response.body);  // the script must receive valid JSON
  return response;
}

Response Pages::render(std::string request, std::string_view answers) {
  const bool is_available = !answers.empty();
  json::Writer api;
  api.string(dependencies_.public_api);
  request.pop_back();  // the end of the object, for more members
  request.append(R"(,"api":)").append(api.take());
  request.append(R"(,"is_available":)").append(is_available ? "true" : "false");
  request.append(R"(,"answers":)").append(is_available ? answers : "{}").append("}");
  const auto page = read_object(renderer_->call("render", request));
  return {static_cast<int>(page.at("status").as_int64()),
          {{"Content-Type", "text/html; charset=utf-8"},
           {"Content-Language", string_of(page, "language")},
           {"Cache-Control", "no-cache"},
           {"Vary", "Accept-Language, Cookie"}},
          string_of(page, "html")};
}

Response Pages::unavailable(const RequestHead& head) {
  auto response = plain_answer(503, "The catalog cannot be reached.\n");
  try {
    if (renderer_) response = render(script_request(head), "");
  } catch (const std::runtime_error&) {
    // The script may be what failed. The caller has logged that.
  }
  response.headers.push_back({"Retry-After", "2"});
  return response;
}

std::optional<Response> Pages::answer_file(std::string_view path) const {
  if (path == "/robots.txt") return robots();
  const auto number = sitemap_number(path);
  if (path != "/sitemap.xml" && !number) return std::nullopt;
  auto text = number ? sitemap_.file(*number) : sitemap_.index();
  if (!text.empty()) return xml_answer(std::move(text));
  if (!sitemap_.index().empty()) return std::nullopt;  // no such part
  constexpr std::int64_t kRetryS = 30;
  return error_answer(503, "unavailable", "The sitemap is not ready yet.", kRetryS);
}

void Pages::refresh_sitemap() {
  sitemap_.refresh(dependencies_.backend.catalog_version());
  auto sources = policy_sources(sitemap_.audio_origins());
  const std::lock_guard lock(mutex_);
  audio_sources_ = std::move(sources);
}

std::string Pages::audio_sources() const {
  const std::lock_guard lock(mutex_);
  return audio_sources_;
}

Response Pages::robots() const {
  std::string text = "User-agent: *\nDisallow: /site/\nDisallow: /account\nDisallow: /collections\nDisallow: /feeds/\n";
  if (const auto index = sitemap_.index(); !index.empty()) {
    const auto begin = index.find("<loc>") + 5;
    const auto end = index.find("/sitemap-", begin);
    text += "Sitemap: " + index.substr(begin, end - begin) + "/sitemap.xml\n";
  }
  return {200, {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "public, max-age=3600"}}, text};
}

}  // namespace tonearm::web
