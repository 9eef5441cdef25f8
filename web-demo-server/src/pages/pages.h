#pragma once
// The pages of the site. Each is complete without JavaScript (WEB-15). Safe for concurrent calls.

#include <boost/json/object.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "html/translations.h"
#include "pages/page_frame.h"
#include "pages/sitemap.h"
#include "tonearm/http.h"
#include "upstream/operator_account.h"

namespace tonearm::web {

class Pages {
 public:
  /// Must outlive the pages.
  struct Dependencies {
    OperatorAccount& operator_account;
    Backend& backend;
    std::string site;  // the folder of the built site; empty: none
  };

  explicit Pages(Dependencies dependencies);

  /// Throws std::runtime_error if the API does not answer.
  Response answer(const RequestHead& head);
  /// Renders an error page with status 503.
  Response unavailable(const RequestHead& head);
  /// Reads more of the sitemap; called in the background. Throws std::runtime_error if the API does not answer.
  void refresh_sitemap() { sitemap_.refresh(dependencies_.backend.catalog_version()); }

 private:
  struct PageRequest {
    const Translations& texts;
    std::string_view query;
    std::vector<std::string> segments;
  };

  std::optional<Response> answer_fixed(std::string_view path, const PageRequest& request) const;
  Response search_page(const PageRequest& request);
  Response track_page(const PageRequest& request);
  Response artist_page(const PageRequest& request);
  Response tag_page(const PageRequest& request);
  Response category_page(const PageRequest& request);
  /// A page with one list of tracks.
  struct ListPage {
    std::string title;
    std::string path;    // of the page
    std::string search;  // the query of the search that returns all tracks
    const boost::json::object& answer;
    std::string data;
  };
  Response list_page(const Translations& texts, const ListPage& list) const;
  Response shell_page(const PageRequest& request, std::string_view title, std::string_view entry) const;
  Response missing_page(const Translations& texts) const;
  Response robots() const;

  /// A response of the API, with its body parsed.
  struct ApiResponse {
    int status = 0;
    std::string body;
    boost::json::object object;
  };
  ApiResponse fetch(const std::string& target);
  std::string label_of(std::string_view facet, const std::string& id);
  EntryFiles files(std::string_view entry) const;
  Response page(int status, const Translations& texts, const PageParts& parts, std::string_view search = {},
                std::string_view entry = "src/main.tsx") const;

  Dependencies dependencies_;
  Sitemap sitemap_;
  std::mutex mutex_;
  std::string labels_version_;
  boost::json::object labels_;  // GET /v1/meta of that version
};

}  // namespace tonearm::web
