#include "routes/file_routes.h"

#include <algorithm>
#include <array>

#include "files/open_file.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kAssets = "/assets/";
constexpr std::string_view kMedia = "/media/";
constexpr std::string_view kSnapshot = "/offline/catalog.sqlite";
// Files that browsers request from the root of a site.
constexpr std::array<std::string_view, 4> kIcons{"/favicon.ico", "/favicon.svg", "/apple-touch-icon.png",
                                                 "/manifest.webmanifest"};

/// Returns whether Accept-Encoding lists the coding with a weight above 0 (RFC 9110, 12.5.3).
bool accepts_coding(const Headers& headers, std::string_view coding) {
  for (const auto& header : headers) {
    if (!is_named(header, "Accept-Encoding")) continue;
    std::string_view items = header.value;
    while (!items.empty()) {
      auto item = http_fields::next_element(items, ',');
      if (!ascii::equals_ignoring_case(http_fields::next_element(item, ';'), coding)) continue;
      const auto parameter = http_fields::next_element(item, ';');
      return !parameter.starts_with("q=") || http_fields::weight(parameter.substr(2)).value_or(0) > 0;
    }
  }
  return false;
}

/// Returns whether `--media` serves the file: audio and its peaks only (WEB-12).
bool is_media(std::string_view name) {
  return content_type_of(name).starts_with("audio/") || name.ends_with(".peaks.json");
}

Response no_such_file() { return error_answer(404, "not_found", "This file does not exist."); }

/// Returns the file name after the prefix. Valid names contain no characters that need decoding.
std::string name_below(std::string_view path, std::string_view prefix) {
  return std::string(path.substr(prefix.size()));
}

/// Serves the compressed variant that was created when the site was built, if the client accepts it.
Response answer_asset(const std::string& folder, const RequestHead& head, const std::string& name) {
  const FileHeaders form{content_type_of(name), "public, max-age=31536000, immutable"};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kCodings{{{"br", ".br"}, {"gzip", ".gz"}}};
  if (find_header(head.headers, "Range") == nullptr) {
    for (const auto& [coding, ending] : kCodings) {
      if (!accepts_coding(head.headers, coding)) continue;
      auto file = OpenFile::open_in(folder, name + std::string(ending));
      if (!file) continue;
      auto response = answer_file(head, std::move(file), form);
      response.headers.push_back({"Content-Encoding", std::string(coding)});
      response.headers.push_back({"Vary", "Accept-Encoding"});
      return response;
    }
  }
  auto file = OpenFile::open_in(folder, name);
  if (!file) return no_such_file();
  auto response = answer_file(head, std::move(file), form);
  response.headers.push_back({"Vary", "Accept-Encoding"});
  return response;
}

Response answer_from_folder(const std::string& folder, const RequestHead& head, const std::string& name,
                            std::string_view cache_control) {
  auto file = folder.empty() ? nullptr : OpenFile::open_in(folder, name);
  if (!file) return no_such_file();
  return answer_file(head, std::move(file), {content_type_of(name), cache_control});
}

}  // namespace

bool is_file_path(std::string_view path) {
  return path.starts_with(kAssets) || path.starts_with(kMedia) || path == kSnapshot ||
         std::find(kIcons.begin(), kIcons.end(), path) != kIcons.end();
}

std::optional<Response> answer_from_file(const SiteFolders& folders, const RequestContext& context) {
  if (!is_file_path(context.path)) return std::nullopt;
  if (!context.is_read()) return method_not_allowed("GET, HEAD");
  const auto& head = context.request.head;
  if (context.path.starts_with(kAssets)) {
    if (folders.site.empty()) return no_such_file();
    return answer_asset(folders.site + "/assets", head, name_below(context.path, kAssets));
  }
  if (context.path.starts_with(kMedia)) {
    if (!is_media(context.path)) return no_such_file();
    auto response = answer_from_folder(folders.media, head, name_below(context.path, kMedia), "public, max-age=3600");
    // For pages of other origins, such as the player in a conversation (WEB-12, MCP-22).
    response.headers.push_back({"Access-Control-Allow-Origin", "*"});
    response.headers.push_back({"Cross-Origin-Resource-Policy", "cross-origin"});
    return response;
  }
  if (context.path == kSnapshot) {
    auto file = folders.catalog.empty() ? nullptr : OpenFile::open(folders.catalog);
    if (!file) return no_such_file();
    return answer_file(head, std::move(file), {content_type_of(kSnapshot), "no-cache"});
  }
  return answer_from_folder(folders.site, head, name_below(context.path, "/"), "public, max-age=86400");
}

}  // namespace tonearm::web
