#include "pages/pages.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <charconv>

#include "files/open_file.h"
#include "json/writer.h"
#include "messages/message.h"
#include "pages/track_view.h"
#include "text/percent.h"

namespace tonearm::web {
namespace {

using html::Attribute;
using html::Writer;

constexpr std::string_view kMainEntry = "src/main.tsx";
constexpr std::string_view kDocsEntry = "src/docs.ts";
constexpr std::string_view kTracksPerList = "24";
constexpr std::size_t kManifestBytesMax = 1'000'000;

/// Begins the JSON object that the page's script reads.
void begin_data(json::Writer& out, std::string_view page, const Translations& texts) {
  out.begin_object();
  out.string("page", page);
  out.string("lang", texts.language());
}

/// Adds a member that is JSON already; null if `json` is empty.
void add_json(json::Writer& out, std::string_view name, std::string_view json) {
  out.key(name);
  json.empty() ? out.null() : out.raw(json);
}

/// Returns the query of the page's URL without the parameters that only the page reads.
std::string search_query(std::string_view query) {
  std::string out;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    const auto name = pair.substr(0, pair.find('='));
    if (!pair.empty() && name != "view" && name != "lang" && name != "limit" && name != "match") {
      out.append(out.empty() ? "" : "&").append(pair);
    }
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  out.append(out.empty() ? "" : "&").append("limit=").append(kTracksPerList);
  return out;
}

void write_total(Writer& out, const Translations& texts, const boost::json::object& answer) {
  const auto* total = answer.if_contains("total");
  const auto count = total != nullptr && total->is_int64() ? total->get_int64() : 0;
  const auto words = count == 1 ? texts("search.one") : texts("search.results", std::to_string(count));
  out.element("p", {{"class", "total"}, {"role", "status"}}, count == 0 ? texts("search.none") : words);
}

bool is_empty(const boost::json::object& answer) {
  const auto* total = answer.if_contains("total");
  return total == nullptr || !total->is_int64() || total->get_int64() == 0;
}

/// Writes a list of tracks: the total, the cards, and a link to the search that returns them all.
void write_list(Writer& out, const Translations& texts, const boost::json::object& answer, const std::string& search) {
  write_total(out, texts, answer);
  write_cards(out, texts, answer);
  out.open("p").open("a", {Attribute::local("href", "/?" + search)}).text(texts("list.more")).close().close();
}

Response xml_answer(std::string text) {
  return {200, {{"Content-Type", "application/xml"}, {"Cache-Control", "public, max-age=3600"}}, std::move(text)};
}

/// Returns the number in /sitemap-{n}.xml, or nothing for any other path.
std::optional<std::size_t> sitemap_number(std::string_view path) {
  constexpr std::string_view kBegin = "/sitemap-";
  constexpr std::string_view kEnd = ".xml";
  if (path.size() <= kBegin.size() + kEnd.size() || path.substr(0, kBegin.size()) != kBegin) return std::nullopt;
  if (path.substr(path.size() - kEnd.size()) != kEnd) return std::nullopt;
  path = path.substr(kBegin.size(), path.size() - kBegin.size() - kEnd.size());
  std::size_t number = 0;
  const auto read = std::from_chars(path.data(), path.data() + path.size(), number);
  const bool is_number = read.ec == std::errc() && read.ptr == path.data() + path.size();
  return is_number ? std::optional(number) : std::nullopt;
}

struct Facet {
  std::string_view name;
  std::string_view kind;  // empty: both kinds
};
constexpr std::array<Facet, 5> kTagFacets{
    {{"genre", "music"}, {"mood", "music"}, {"use", ""}, {"instrument", "music"}, {"sfx", "sfx"}}};

/// Returns the public URL of a path of this site, derived from the URL of the first track in `answer`.
std::string canonical_url(const boost::json::object& answer, std::string_view path) {
  const auto* tracks = answer.if_contains("tracks");
  if (tracks == nullptr || !tracks->is_array() || tracks->get_array().empty()) return {};
  const auto& first = tracks->get_array().front();
  const auto url = first.is_object() ? text_in(first.get_object(), "page_url") : std::string_view();
  const auto at = url.rfind("/tracks/");
  return at == std::string_view::npos ? std::string() : std::string(url.substr(0, at)).append(path);
}

}  // namespace

Pages::Pages(Dependencies dependencies)
    : dependencies_(std::move(dependencies)), sitemap_(dependencies_.operator_account) {}

/// Reads the manifest on every call, because the site may be rebuilt while the server runs.
EntryFiles Pages::files(std::string_view entry) const {
  if (dependencies_.site.empty()) return {};
  const auto file = OpenFile::open(dependencies_.site + "/.vite/manifest.json");
  if (!file || file->size() > kManifestBytesMax) return {};
  std::string json(static_cast<std::size_t>(file->size()), '\0');
  json.resize(file->read(0, json.data(), json.size()));
  auto files = read_manifest(json, entry);
  files.has_icon = OpenFile::open_in(dependencies_.site, "favicon.svg") != nullptr;
  return files;
}

Response Pages::page(int status, const Translations& texts, const PageParts& parts, std::string_view search,
                     std::string_view entry) const {
  Response response{status,
                    {{"Content-Type", "text/html; charset=utf-8"},
                     {"Content-Language", texts.language()},
                     {"Cache-Control", "no-cache"},
                     {"Vary", "Accept-Language"}},
                    render_page(texts, files(entry), parts, search)};
  return response;
}

Pages::ApiResponse Pages::fetch(const std::string& target) {
  auto response = dependencies_.operator_account.send({"GET", target});
  if (response.status >= 500)
    throw std::runtime_error("the API answered with status " + std::to_string(response.status));
  auto object = read_object(response.body);
  return {response.status, std::move(response.body), std::move(object)};
}

Response Pages::answer(const RequestHead& head) {
  const auto path = path_of(head.target);
  PageRequest request{Translations::negotiate(query_of(head.target), head.headers), query_of(head.target), {}};
  if (head.method != "GET" && head.method != "HEAD") return method_not_allowed("GET, HEAD");
  if (auto response = answer_fixed(path, request)) return *std::move(response);
  if (path == "/") return search_page(request);
  auto segments = segments_of(path);
  if (!segments) return missing_page(request.texts);
  request.segments = *std::move(segments);
  const auto& first = request.segments.front();
  const auto count = request.segments.size();
  if (first == "tracks" && count == 2) return track_page(request);
  if (first == "artists" && count == 2) return artist_page(request);
  if (first == "tags" && count == 3) return tag_page(request);
  if (first == "categories" && count == 2) return category_page(request);
  if (first == "collections" && count == 2) return shell_page(request, "collections.title", kMainEntry);
  return missing_page(request.texts);
}

std::optional<Response> Pages::answer_fixed(std::string_view path, const PageRequest& request) const {
  if (path == "/robots.txt") return robots();
  if (path == "/collections") return shell_page(request, "collections.title", kMainEntry);
  if (path == "/account") return shell_page(request, "account.title", kMainEntry);
  if (path == "/sign-in") return shell_page(request, "sign-in.title", kMainEntry);
  if (path == "/sign-up") return shell_page(request, "sign-up.title", kMainEntry);
  if (path == "/docs") return shell_page(request, "docs.title", kDocsEntry);
  const auto number = sitemap_number(path);
  if (path != "/sitemap.xml" && !number) return std::nullopt;
  auto text = number ? sitemap_.file(*number) : sitemap_.index();
  if (!text.empty()) return xml_answer(std::move(text));
  if (!sitemap_.index().empty()) return missing_page(request.texts);
  constexpr std::int64_t kRetryS = 30;
  return error_answer(503, "unavailable", "The sitemap is not ready yet.", kRetryS);
}

Response Pages::robots() const {
  std::string text = "User-agent: *\nDisallow: /site/\nDisallow: /account\nDisallow: /collections\n";
  if (const auto index = sitemap_.index(); !index.empty()) {
    const auto begin = index.find("<loc>") + 5;
    const auto end = index.find("/sitemap-", begin);
    text += "Sitemap: " + index.substr(begin, end - begin) + "/sitemap.xml\n";
  }
  return {200, {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "public, max-age=3600"}}, text};
}

Response Pages::search_page(const PageRequest& request) {
  const auto& texts = request.texts;
  const auto words = query_value(request.query, "q").value_or("");
  const auto answer = fetch("/v1/search?" + search_query(request.query));
  const bool is_good = answer.status == 200;
  json::Writer data;
  begin_data(data, "search", texts);
  add_json(data, "search", is_good ? answer.body : "");
  add_json(data, "error", is_good ? "" : answer.body);
  data.end_object();
  PageParts parts;
  if (!words.empty()) parts.head.title = texts("search.title", html::sanitize(words, 80));
  parts.head.description = texts("site.description");
  parts.head.canonical = request.query.empty() ? canonical_url(answer.object, "/") : "";
  parts.head.is_indexed = request.query.empty();  // other views are endless variations
  parts.body = [&](Writer& out) {
    out.element("h1", {}, words.empty() ? texts("site") : texts("search.title", html::sanitize(words, 80)));
    if (!is_good) {
      out.element("p", {{"role", "alert"}}, texts("search.refused", html::sanitize(text_in(answer.object, "message"))));
      return;
    }
    write_total(out, texts, answer.object);
    write_cards(out, texts, answer.object);
  };
  parts.data = data.take();
  return page(is_good ? 200 : 400, texts, parts, words);
}

Response Pages::track_page(const PageRequest& request) {
  const auto& texts = request.texts;
  const auto path = "/v1/tracks/" + text::encode_percent(request.segments[1]);
  const auto answer = fetch(path);
  if (answer.status != 200) return missing_page(texts);
  const auto& track = answer.object;
  const auto similar = fetch(path + "/similar?limit=12");
  const bool has_similar = similar.status == 200;
  json::Writer data;
  begin_data(data, "track", texts);
  add_json(data, "track", answer.body);
  add_json(data, "similar", has_similar ? similar.body : "");
  data.end_object();
  PageParts parts;
  const auto artist = html::sanitize(text_in(track, "artist"), 80);
  parts.head.title = html::sanitize(text_in(track, "title"), 80);
  parts.head.description = license_summary(texts, track) + ". " + html::sanitize(text_in(track, "credit_line"), 200);
  if (!artist.empty()) parts.head.title += ' ' + texts("track.by", artist);
  parts.head.canonical = text_in(track, "page_url");
  parts.head.write_extra = [&](Writer& out) {
    out.leaf("meta",
             {{"property", "og:type"}, {"content", text_in(track, "kind") == "music" ? "music.song" : "website"}});
    const auto preview = text_in(track, "preview_url");
    if (html::is_web_url(preview)) out.leaf("meta", {{"property", "og:audio"}, {"content", preview}});
    out.data("application/ld+json", "", audio_object(track));
  };
  parts.body = [&](Writer& out) {
    write_track(out, texts, track);
    if (!has_similar || is_empty(similar.object)) return;
    out.open("section").element("h2", {}, texts("track.similar"));
    write_cards(out, texts, similar.object);
    out.close();
  };
  parts.data = data.take();
  return page(200, texts, parts);
}

Response Pages::artist_page(const PageRequest& request) {
  const auto& texts = request.texts;
  const auto& name = request.segments[1];
  if (name.empty()) return missing_page(texts);
  const auto by = "creator=" + text::encode_percent(name) + "&limit=" + std::string(kTracksPerList);
  const auto music = fetch("/v1/search?kind=music&" + by);
  const auto sounds = fetch("/v1/search?kind=sfx&" + by);
  if (music.status != 200 || sounds.status != 200) return missing_page(texts);
  if (is_empty(music.object) && is_empty(sounds.object)) return missing_page(texts);
  json::Writer data;
  begin_data(data, "artist", texts);
  data.string("name", name);
  add_json(data, "music", music.body);
  add_json(data, "sfx", sounds.body);
  data.end_object();
  PageParts parts;
  parts.head.title = texts("artist.title", html::sanitize(name, 80));
  parts.head.description = parts.head.title + ". " + texts("site.description");
  parts.head.canonical = canonical_url(is_empty(music.object) ? sounds.object : music.object, artist_path(name));
  parts.body = [&](Writer& out) {
    out.element("h1", {{"dir", "auto"}}, parts.head.title);
    for (const auto* list : {&music, &sounds}) {
      if (is_empty(list->object)) continue;
      const std::string kind = list == &music ? "music" : "sfx";
      out.open("section").element("h2", {}, texts(list == &music ? "nav.music" : "nav.effects"));
      write_list(out, texts, list->object, "kind=" + kind + "&creator=" + text::encode_percent(name));
      out.close();
    }
  };
  parts.data = data.take();
  return page(200, texts, parts);
}

Response Pages::list_page(const Translations& texts, const ListPage& list) const {
  PageParts parts;
  parts.head.title = list.title;
  parts.head.description = list.title + ". " + texts("site.description");
  parts.head.canonical = canonical_url(list.answer, list.path);
  parts.body = [&](Writer& out) {
    out.element("h1", {{"dir", "auto"}}, list.title);
    write_list(out, texts, list.answer, list.search);
  };
  parts.data = list.data;
  return page(200, texts, parts);
}

Response Pages::tag_page(const PageRequest& request) {
  const auto& texts = request.texts;
  const auto& facet = request.segments[1];
  const auto& id = request.segments[2];
  const auto* const found =
      std::find_if(kTagFacets.begin(), kTagFacets.end(), [&](const Facet& known) { return known.name == facet; });
  if (found == kTagFacets.end() || id.empty()) return missing_page(texts);
  const auto by = facet + '=' + text::encode_percent(id);
  const auto limit = "&limit=" + std::string(kTracksPerList);
  std::string kind(found->kind.empty() ? "music" : found->kind);
  auto answer = fetch("/v1/search?kind=" + kind + '&' + by + limit);
  if (found->kind.empty() && answer.status == 200 && is_empty(answer.object)) {
    kind = "sfx";
    answer = fetch("/v1/search?kind=sfx&" + by + limit);
  }
  if (answer.status != 200 || is_empty(answer.object)) return missing_page(texts);
  const auto label = label_of(facet, id);
  json::Writer data;
  begin_data(data, "tag", texts);
  for (const auto& [key, value] : {std::pair("facet", &facet), {"id", &id}, {"label", &label}, {"kind", &kind}}) {
    data.string(key, *value);
  }
  add_json(data, "search", answer.body);
  data.end_object();
  return list_page(texts,
                   {texts("tag.title", html::sanitize(label, 80)), "/tags/" + facet + '/' + text::encode_percent(id),
                    "kind=" + kind + '&' + by, answer.object, data.take()});
}

Response Pages::category_page(const PageRequest& request) {
  const auto& texts = request.texts;
  const auto& id = request.segments[1];
  if (id.empty()) return missing_page(texts);
  const auto by = "kind=sfx&category=" + text::encode_percent(id);
  const auto answer = fetch("/v1/search?" + by + "&limit=" + std::string(kTracksPerList));
  if (answer.status != 200 || is_empty(answer.object)) return missing_page(texts);
  const auto label = label_of("categories", id);
  json::Writer data;
  begin_data(data, "category", texts);
  data.string("id", id);
  data.string("label", label);
  add_json(data, "search", answer.body);
  data.end_object();
  return list_page(texts, {texts("category.title", html::sanitize(label, 80)),
                           "/categories/" + text::encode_percent(id), by, answer.object, data.take()});
}

namespace {

/// Returns the label of an id in a list of `{id, label}`, or an empty string.
std::string_view label_in(const boost::json::value* list, std::string_view id) {
  if (list == nullptr || !list->is_array()) return {};
  for (const auto& value : list->get_array()) {
    if (value.is_object() && text_in(value.get_object(), "id") == id) return text_in(value.get_object(), "label");
  }
  return {};
}

}  // namespace

std::string Pages::label_of(std::string_view facet, const std::string& id) {
  const auto version = dependencies_.backend.catalog_version();
  const std::lock_guard lock(mutex_);
  if (labels_version_ != version || version.empty()) {
    labels_ = fetch("/v1/meta?limit=1").object;
    labels_version_ = version;
  }
  const auto& facets = object_in(labels_, "facets");
  std::string_view label;
  if (facet == "categories") {
    const auto& categories = object_in(object_in(facets, "sfx"), "categories");
    label = label_in(categories.if_contains("values"), id);
    if (label.empty()) label = label_in(categories.if_contains("groups"), id);
  } else {
    label = label_in(object_in(facets, "music").if_contains(facet), id);
    if (label.empty()) label = label_in(object_in(facets, "sfx").if_contains(facet), id);
  }
  return label.empty() ? id : std::string(label);
}

Response Pages::shell_page(const PageRequest& request, std::string_view title, std::string_view entry) const {
  const auto& texts = request.texts;
  json::Writer data;
  begin_data(data, "shell", texts);
  data.end_object();
  PageParts parts;
  parts.head.title = texts(title);
  parts.head.description = texts("site.description");
  parts.head.is_indexed = entry == kDocsEntry;
  parts.body = [&](Writer& out) {
    out.element("h1", {}, texts(title));
    out.open("noscript").element("p", {}, texts("needs.script")).close();
  };
  parts.data = data.take();
  return page(200, texts, parts, {}, entry);
}

Response Pages::missing_page(const Translations& texts) const {
  json::Writer data;
  begin_data(data, "missing", texts);
  data.end_object();
  PageParts parts;
  parts.head.title = texts("missing.title");
  parts.head.description = texts("missing.text");
  parts.head.is_indexed = false;
  parts.body = [&](Writer& out) {
    out.element("h1", {}, texts("missing.title")).element("p", {}, texts("missing.text"));
    out.open("p").open("a", {Attribute::local("href", "/")}).text(texts("home")).close().close();
  };
  parts.data = data.take();
  return page(404, texts, parts);
}

Response Pages::unavailable(const RequestHead& head) {
  const auto& texts = Translations::negotiate(query_of(head.target), head.headers);
  json::Writer data;
  begin_data(data, "unavailable", texts);
  data.end_object();
  PageParts parts;
  parts.head.title = texts("error.title");
  parts.head.description = texts("error.text");
  parts.head.is_indexed = false;
  parts.body = [&](Writer& out) {
    out.element("h1", {}, texts("error.title")).element("p", {{"role", "alert"}}, texts("error.text"));
  };
  parts.data = data.take();
  auto response = page(503, texts, parts);
  response.headers.push_back({"Retry-After", "2"});
  return response;
}

}  // namespace tonearm::web
