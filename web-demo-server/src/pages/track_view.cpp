#include "pages/track_view.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "json/writer.h"
#include "text/percent.h"

namespace tonearm::web {
namespace {

using html::Attribute;
using html::Writer;

constexpr std::array<std::string_view, 5> kFacets{"genre", "mood", "use", "instrument", "sfx"};
constexpr std::int64_t kMinuteS = 60;

double seconds_of(const boost::json::value* value) {
  if (value == nullptr || !value->is_number()) return 0;
  const auto seconds = value->to_number<double>();
  return seconds > 0 ? seconds : 0;
}

void write_web_link(Writer& out, std::string_view url, std::string_view text) {
  if (!html::is_web_url(url)) {
    out.untrusted_text(text);
    return;
  }
  out.open("a", {Attribute::web("href", url), {"rel", "noopener nofollow"}}).untrusted_text(text).close();
}

void write_license(Writer& out, const Translations& texts, const boost::json::object& track) {
  const auto& license = object_in(track, "license");
  const auto url = text_in(license, "url");
  out.open("p", {{"class", "license"}});
  out.text(license_summary(texts, track)).text(" · ");
  if (html::is_web_url(url)) {
    out.open("a", {Attribute::web("href", url), {"rel", "license noopener"}})
        .untrusted_text(text_in(license, "name"))
        .close();
  } else {
    out.untrusted_text(text_in(license, "name"));
  }
  const auto status = text_in(license, "status");
  if (status == "verified" || status == "listed") {
    out.text(" (" + texts("license." + std::string(status)) + ")");
  }
  out.close();
}

void write_byline(Writer& out, const Translations& texts, const boost::json::object& track) {
  const auto artist = text_in(track, "artist");
  if (artist.empty()) return;
  const auto& words = texts("track.by");
  const auto at = words.find("{}");
  out.open("p", {{"class", "artist"}}).text(std::string_view(words).substr(0, at));
  out.open("a", {Attribute::local("href", artist_path(artist))}).untrusted_text(artist).close();
  if (at != std::string::npos) out.text(std::string_view(words).substr(at + 2));
  out.close();
}

void write_term(Writer& out, const std::string& term, std::string_view value) {
  if (value.empty()) return;
  out.element("dt", {}, term).open("dd").untrusted_text(value).close();
}

void write_tags(Writer& out, const Translations& texts, const boost::json::object& track) {
  const auto& tags = object_in(track, "tags");
  bool is_open = false;
  for (const auto facet : kFacets) {
    const auto* ids = tags.if_contains(facet);
    if (ids == nullptr || !ids->is_array()) continue;
    for (const auto& id : ids->get_array()) {
      if (!id.is_string()) continue;
      if (!is_open) out.element("dt", {}, texts("track.tags")).open("dd");
      is_open = true;
      const std::string_view name(id.get_string());
      const auto path = "/tags/" + std::string(facet) + '/' + text::encode_percent(name);
      out.open("a", {Attribute::local("href", path)}).untrusted_text(name).close().text(" ");
    }
  }
  if (is_open) out.close();
}

void write_category(Writer& out, const Translations& texts, const boost::json::object& track) {
  const auto& category = object_in(track, "category");
  if (text_in(category, "id").empty()) return;
  out.element("dt", {}, texts("track.category")).open("dd");
  const auto path = "/categories/" + text::encode_percent(text_in(category, "id"));
  out.open("a", {Attribute::local("href", path)}).untrusted_text(text_in(category, "label")).close().close();
}

void write_details(Writer& out, const Translations& texts, const boost::json::object& track) {
  out.open("dl");
  write_term(out, texts("track.duration"), clock_time(track.if_contains("duration_s")));
  if (const auto* bpm = track.if_contains("bpm"); bpm != nullptr && bpm->is_number()) {
    write_term(out, texts("track.tempo"), std::to_string(std::lround(bpm->to_number<double>())) + " BPM");
  }
  write_category(out, texts, track);
  write_tags(out, texts, track);
  if (const auto page = text_in(track, "source_page"); !page.empty()) {
    out.element("dt", {}, texts("track.source")).open("dd");
    write_web_link(out, page, page);
    out.close();
  }
  if (const auto original = text_in(track, "original_url"); !original.empty()) {
    out.element("dt", {}, texts("track.original")).open("dd");
    write_web_link(out, original, original);
    out.close();
  }
  out.close();
}

}  // namespace

std::string_view text_in(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

const boost::json::object& object_in(const boost::json::object& object, std::string_view name) {
  static const boost::json::object kEmpty;
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_object() ? value->get_object() : kEmpty;
}

std::string track_path(const boost::json::object& track) {
  return "/tracks/" + text::encode_percent(text_in(track, "id"));
}

std::string artist_path(std::string_view artist) { return "/artists/" + text::encode_percent(artist); }

std::string license_summary(const Translations& texts, const boost::json::object& track) {
  const auto& terms = object_in(track, "terms");
  const auto* commercial = terms.if_contains("commercial");
  const bool is_free = commercial != nullptr && commercial->is_bool() && commercial->get_bool();
  const auto attribution = text_in(track, "attribution");
  std::string name = is_free ? "license" : "license.nc";
  if (attribution == "optional") {
    name += is_free ? ".free" : "";
  } else {
    name += attribution == "requested" ? ".requested" : ".credit";
  }
  auto words = texts(name);
  const auto* share_alike = terms.if_contains("share_alike");
  if (share_alike != nullptr && share_alike->is_bool() && share_alike->get_bool()) {
    words += "; " + texts("license.share_alike");
  }
  return words;
}

std::string clock_time(const boost::json::value* value) {
  const auto seconds = static_cast<std::int64_t>(std::lround(seconds_of(value)));
  const auto rest = seconds % kMinuteS;
  return std::to_string(seconds / kMinuteS) + (rest < 10 ? ":0" : ":") + std::to_string(rest);
}

std::string iso_duration(const boost::json::value* value) {
  constexpr double kMilliseconds = 1'000;
  const auto ms = std::llround(seconds_of(value) * kMilliseconds);
  json::Writer number;
  number.decimal(static_cast<std::int64_t>(ms), 3);
  return "PT" + number.text() + "S";
}

void write_card(Writer& out, const Translations& texts, const boost::json::object& track) {
  out.open("li", {{"class", "card"}}).open("article");
  out.open("h2").open("a", {Attribute::local("href", track_path(track))});
  out.untrusted_text(text_in(track, "title")).close().close();
  write_byline(out, texts, track);
  out.element("p", {{"class", "duration"}}, clock_time(track.if_contains("duration_s")));
  write_license(out, texts, track);
  if (const auto credit = text_in(track, "credit_line"); !credit.empty()) {
    out.open("p", {{"class", "credit"}}).untrusted_text(credit).close();
  }
  out.close().close();
}

void write_cards(Writer& out, const Translations& texts, const boost::json::object& answer) {
  const auto* tracks = answer.if_contains("tracks");
  if (tracks == nullptr || !tracks->is_array() || tracks->get_array().empty()) return;
  out.open("ul", {{"class", "cards"}});
  for (const auto& track : tracks->get_array()) {
    if (track.is_object()) write_card(out, texts, track.get_object());
  }
  out.close();
}

void write_track(Writer& out, const Translations& texts, const boost::json::object& track) {
  out.open("article", {{"class", "track"}});
  out.open("h1").untrusted_text(text_in(track, "title")).close();
  write_byline(out, texts, track);
  const auto preview = text_in(track, "preview_url");
  if (html::is_web_url(preview)) {
    out.open("audio", {{"controls", ""}, {"preload", "none"}, Attribute::web("src", preview)}).close();
  } else {
    out.element("p", {{"class", "silent"}}, texts("track.silent"));
  }
  out.element("h2", {}, texts("track.license"));
  write_license(out, texts, track);
  if (const auto credit = text_in(track, "credit_line"); !credit.empty()) {
    out.element("h2", {}, texts("track.credit"));
    out.open("p", {{"class", "credit"}}).element("bdi", {}, html::sanitize(credit, 4'000)).close();
  }
  write_details(out, texts, track);
  if (const auto description = text_in(track, "description"); !description.empty()) {
    out.element("h2", {}, texts("track.description"));
    out.open("p", {{"class", "description"}}).element("bdi", {}, html::sanitize(description, 5'000)).close();
  }
  out.close();
}

std::string audio_object(const boost::json::object& track) {
  json::Writer out;
  const auto put = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out.string(name, value);
  };
  const auto put_url = [&](std::string_view name, std::string_view url) {
    if (html::is_web_url(url)) put(name, std::string(url));
  };
  const auto& license = object_in(track, "license");
  out.begin_object();
  put("@context", "https://schema.org");
  put("@type", "AudioObject");
  put("name", html::sanitize(text_in(track, "title")));
  put_url("url", text_in(track, "page_url"));
  put("description", html::sanitize(text_in(track, "description"), 1'000));
  if (const auto artist = html::sanitize(text_in(track, "artist")); !artist.empty()) {
    out.key("creator");
    out.begin_object();
    put("@type", "Person");
    put("name", artist);
    out.end_object();
  }
  put("duration", iso_duration(track.if_contains("duration_s")));
  const auto preview = text_in(track, "preview_url");
  put_url("contentUrl", preview.empty() ? text_in(track, "original_url") : preview);
  put_url("license", text_in(license, "url"));
  put_url("acquireLicensePage", text_in(track, "page_url"));
  put("creditText", html::sanitize(text_in(track, "credit_line"), 4'000));
  out.end_object();
  return out.take();
}

}  // namespace tonearm::web
