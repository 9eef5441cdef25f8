#include "pages/sitemap.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "messages/message.h"
#include "text/percent.h"
#include "text/web_address.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kUrlsPerFile = 50'000;  // limit of the sitemap protocol
constexpr std::size_t kUrlsMax = 1'000'000;
constexpr int kPagesPerRefresh = 20;

// A search returns speech only if it names the category (SEARCH-7).
constexpr std::array<std::string_view, 3> kParts{"kind=music", "kind=sfx", "kind=sfx&category=speech"};

/// Escapes a URL, which contains no control characters, for the text of an XML element.
std::string xml_escaped(std::string_view url) {
  std::string out;
  for (const char c : url) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

/// Returns a string member, or an empty string if it is missing or not a string.
std::string_view text_in(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

/// Returns whether the text is a URL without spaces and control characters, which XML forbids.
bool is_plain_url(std::string_view text) {
  constexpr char kSpace = ' ';
  return text::parse_web_address(text) &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c <= kSpace; });
}

std::string_view site_of(std::string_view page_url) { return page_url.substr(0, page_url.rfind("/tracks/")); }

}  // namespace

void Sitemap::refresh(const std::string& version) {
  {
    const std::lock_guard lock(mutex_);
    if (version.empty() || version_ == version) return;
  }
  if (pending_version_ != version) {
    pending_version_ = version;
    part_ = 0;
    cursor_.clear();
    pending_urls_.clear();
    pending_origins_.clear();
  }
  for (int pages = 0; pages < kPagesPerRefresh; ++pages) {
    if (read_page()) continue;
    std::sort(pending_urls_.begin(), pending_urls_.end());
    pending_urls_.erase(std::unique(pending_urls_.begin(), pending_urls_.end()), pending_urls_.end());
    const std::lock_guard lock(mutex_);
    version_ = version;
    urls_ = std::exchange(pending_urls_, {});
    origins_ = std::exchange(pending_origins_, {});
    return;
  }
}

/// Returns false if there are no more pages.
bool Sitemap::read_page() {
  if (part_ == kParts.size() || pending_urls_.size() >= kUrlsMax) return false;
  auto target = "/v1/search?limit=50&fields=page_url,preview_url,original_url&" + std::string(kParts[part_]);
  if (!cursor_.empty()) target += "&cursor=" + text::encode_percent(cursor_);
  const auto response = operator_.send({"GET", target});
  if (response.status != 200)
    throw std::runtime_error("the API answered the list of all tracks with " + std::to_string(response.status));
  const auto answer = read_object(response.body);
  if (const auto* tracks = answer.if_contains("tracks"); tracks != nullptr && tracks->is_array()) {
    for (const auto& track : tracks->get_array()) {
      if (!track.is_object()) continue;
      const auto& fields = track.get_object();
      if (const auto url = text_in(fields, "page_url"); is_plain_url(url)) pending_urls_.emplace_back(url);
      for (const char* const name : {"preview_url", "original_url"}) {
        if (const auto url = text_in(fields, name); is_plain_url(url)) {
          pending_origins_.emplace(text::parse_web_address(url)->origin);
        }
      }
    }
  }
  cursor_ = text_in(answer, "cursor");
  if (cursor_.empty()) ++part_;
  return true;
}

std::set<std::string> Sitemap::audio_origins() const {
  const std::lock_guard lock(mutex_);
  return origins_;
}

std::string Sitemap::index() const {
  const std::lock_guard lock(mutex_);
  if (urls_.empty()) return {};
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "
      "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  const auto site = xml_escaped(site_of(urls_.front()));
  for (std::size_t number = 1; (number - 1) * kUrlsPerFile < urls_.size(); ++number) {
    out += "<sitemap><loc>" + site + "/sitemap-" + std::to_string(number) + ".xml</loc></sitemap>\n";
  }
  return out + "</sitemapindex>\n";
}

std::string Sitemap::file(std::size_t number) const {
  const std::lock_guard lock(mutex_);
  const auto first = (number - 1) * kUrlsPerFile;
  if (number == 0 || first >= urls_.size()) return {};
  const auto end = std::min(urls_.size(), first + kUrlsPerFile);
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (auto at = first; at < end; ++at) out += "<url><loc>" + xml_escaped(urls_[at]) + "</loc></url>\n";
  return out + "</urlset>\n";
}

}  // namespace tonearm::web
