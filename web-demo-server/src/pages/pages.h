#pragma once
// The pages of the site. The site's script renders them (renderer/page_renderer.h), from answers of the API. Each is
// complete without JavaScript in the browser (WEB-15). Safe for concurrent calls.

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "pages/sitemap.h"
#include "rate_limits/lru_map.h"
#include "renderer/page_renderer.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "upstream/operator_account.h"

namespace tonearm::web {

class Pages {
 public:
  /// Must outlive the pages.
  struct Dependencies {
    OperatorAccount& operator_account;
    Backend& backend;
    Clock& clock;
    std::string site;        // the folder of the built site; empty: none
    std::string public_api;  // the address of the API for programs
    /// Returns the answer about the shared collection of a link's token (WEB-29).
    std::function<Response(const std::string& token)> shared_collection;
    std::function<void(const std::string& reason)> on_renderer_end;  // PageRenderer::Options::on_end
  };

  /// Throws std::runtime_error if the site's script does not run.
  explicit Pages(Dependencies dependencies);

  /// Throws std::runtime_error if the API does not answer.
  Response answer(const RequestHead& head);
  /// Renders an error page with status 503, or plain text if the script fails.
  Response unavailable(const RequestHead& head);
  /// Reads more of the sitemap; called in the background. Throws std::runtime_error if the API does not answer.
  void refresh_sitemap();
  /// The sources of the policy's media-src: this site and the hosts of the catalog's audio.
  std::string audio_sources() const;

 private:
  struct CachedPage {
    std::string version;  // of the catalog
    std::int64_t expires_ms = 0;
    Response response;
  };

  std::optional<Response> answer_file(std::string_view path) const;
  Response robots() const;
  Response render(std::string request, std::string_view answers);
  std::string load_answers(const std::string& request);
  ClientResponse load_answer(const std::string& path);
  std::optional<Response> cached(const std::string& key);

  Dependencies dependencies_;
  Sitemap sitemap_;
  std::unique_ptr<PageRenderer> renderer_;  // null if the site is not built
  mutable std::mutex mutex_;
  LruMap<CachedPage> cache_;
  std::string audio_sources_;  // made once per refresh, because every response names them
};

}  // namespace tonearm::web
