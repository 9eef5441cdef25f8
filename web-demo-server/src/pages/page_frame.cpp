#include "pages/page_frame.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "files/open_file.h"

namespace tonearm::web {
namespace {

using html::Attribute;
using html::Writer;

constexpr std::string_view kAssets = "assets/";

/// Returns the path of a file in the manifest, or an empty string if the name is not a plain file name.
std::string asset_path(const boost::json::value* value) {
  if (value == nullptr || !value->is_string()) return {};
  const std::string_view file(value->get_string());
  const bool fits = file.substr(0, kAssets.size()) == kAssets && is_plain_name(file.substr(kAssets.size()));
  return fits ? '/' + std::string(file) : std::string();
}

void add_unique(std::vector<std::string>& paths, std::string path) {
  if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(std::move(path));
}

class ManifestReader {
 public:
  explicit ManifestReader(const boost::json::object& manifest) : manifest_(manifest) {}

  EntryFiles read(std::string_view entry) {
    const auto* chunk = visit(entry);
    if (chunk != nullptr) files_.script = asset_path(chunk->if_contains("file"));
    return std::move(files_);
  }

 private:
  const boost::json::object* visit(std::string_view name) {
    const auto* value = manifest_.if_contains(name);
    if (value == nullptr || !value->is_object() || !seen_.insert(std::string(name)).second) return nullptr;
    const auto& chunk = value->get_object();
    if (const auto* imports = chunk.if_contains("imports"); imports != nullptr && imports->is_array()) {
      for (const auto& import : imports->get_array()) {
        if (!import.is_string()) continue;
        const auto* imported = visit(import.get_string());
        if (imported != nullptr) add_unique(files_.modules, asset_path(imported->if_contains("file")));
      }
    }
    if (const auto* styles = chunk.if_contains("css"); styles != nullptr && styles->is_array()) {
      for (const auto& style : styles->get_array()) add_unique(files_.styles, asset_path(&style));
    }
    return &chunk;
  }

  const boost::json::object& manifest_;
  std::set<std::string> seen_;
  EntryFiles files_;
};

void write_meta(Writer& out, std::string_view property, const std::string& content) {
  if (!content.empty()) out.leaf("meta", {{"property", property}, {"content", content}});
}

void write_head(Writer& out, const Translations& texts, const EntryFiles& files, const PageHead& head) {
  const auto title = html::sanitize(head.title, 120);
  const auto description = html::sanitize(head.description, 300);
  out.open("head").leaf("meta", {{"charset", "utf-8"}});
  out.leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.element("title", {}, title.empty() ? texts("site") : title + " · " + texts("site"));
  out.leaf("meta", {{"name", "description"}, {"content", description}});
  out.leaf("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  if (!head.is_indexed) out.leaf("meta", {{"name", "robots"}, {"content", "noindex"}});
  if (!head.canonical.empty()) {
    out.leaf("link", {{"rel", "canonical"}, Attribute::web("href", head.canonical)});
    if (html::is_web_url(head.canonical)) write_meta(out, "og:url", head.canonical);
  }
  if (files.has_icon) out.leaf("link", {{"rel", "icon"}, Attribute::local("href", "/favicon.svg")});
  write_meta(out, "og:site_name", texts("site"));
  write_meta(out, "og:title", title.empty() ? texts("site") : title);
  write_meta(out, "og:description", description);
  for (const auto& style : files.styles) out.leaf("link", {{"rel", "stylesheet"}, Attribute::local("href", style)});
  for (const auto& module : files.modules) {
    out.leaf("link", {{"rel", "modulepreload"}, Attribute::local("href", module)});
  }
  if (!files.script.empty()) {
    out.open("script", {{"type", "module"}, Attribute::local("src", files.script)}).close();
  }
  if (head.write_extra) head.write_extra(out);
  out.close();
}

void write_link(Writer& out, std::string_view path, const std::string& text) {
  out.open("a", {Attribute::local("href", path)}).text(text).close();
}

void write_navigation(Writer& out, const Translations& texts, std::string_view search) {
  out.open("header", {{"class", "site-header"}});
  out.open("a", {{"class", "site-name"}, Attribute::local("href", "/")}).text(texts("site")).close();
  out.open("form", {{"role", "search"}, {"method", "get"}, Attribute::local("action", "/")});
  out.leaf("input", {{"type", "search"},
                     {"name", "q"},
                     {"value", html::sanitize(search, 200)},
                     {"aria-label", texts("search.label")},
                     {"placeholder", texts("search.label")}});
  out.element("button", {{"type", "submit"}}, texts("search.button"));
  out.close();
  out.open("nav");
  write_link(out, "/", texts("nav.music"));
  out.text(" ");
  write_link(out, "/?kind=sfx", texts("nav.effects"));
  out.text(" ");
  write_link(out, "/collections", texts("nav.collections"));
  out.text(" ");
  write_link(out, "/account", texts("nav.account"));
  out.text(" ");
  write_link(out, "/docs", texts("nav.docs"));
  out.close().close();
}

}  // namespace

EntryFiles read_manifest(std::string_view json, std::string_view entry) {
  boost::json::error_code error;
  const auto manifest = boost::json::parse(json, error);
  if (error || !manifest.is_object()) return {};
  return ManifestReader(manifest.get_object()).read(entry);
}

std::string render_page(const Translations& texts, const EntryFiles& files, const PageParts& parts,
                        std::string_view search) {
  Writer out;
  out.open("html", {{"lang", texts.language()}});
  write_head(out, texts, files, parts.head);
  out.open("body").open("div", {{"id", "app"}});
  write_navigation(out, texts, search);
  out.open("main", {{"id", "main"}});
  parts.body(out);
  out.close().close();
  if (!parts.data.empty()) out.data("application/json", "page-data", parts.data);
  out.close().close();
  return out.take();
}

}  // namespace tonearm::web
