#pragma once
// The pages of the site, whole without a script (WEB-15). Safe for concurrent calls.

#include <boost/json/object.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "html/texts.h"
#include "pages/page_frame.h"
#include "pages/sitemap.h"
#include "tonearm/http.h"
#include "upstream/operator_account.h"

namespace tonearm::web {

class Pages {
 public:
  /// All of it outlives the pages.
  struct Dependencies {
    OperatorAccount& own;
    Backend& backend;
    std::string site;  // the folder of the built site; empty: none
  };

  explicit Pages(Dependencies dependencies);

  /// Throws std::runtime_error where the API does not answer.
  Response answer(const RequestHead& head);
  /// 503, as a page.
  Response unavailable(const RequestHead& head);
  /// What is read in the background. Throws std::runtime_error.
  void read_on() { sitemap_.read_on(dependencies_.backend.catalog_version()); }

 private:
  struct Asked {
    const Texts& texts;
    std::string_view query;
    std::vector<std::string> segments;
  };

  std::optional<Response> answer_fixed(std::string_view path, const Asked& asked) const;
  Response search_page(const Asked& asked);
  Response track_page(const Asked& asked);
  Response artist_page(const Asked& asked);
  Response tag_page(const Asked& asked);
  Response category_page(const Asked& asked);
  Response shell_page(const Asked& asked, std::string_view title, std::string_view entry) const;
  Response missing_page(const Texts& texts) const;
  Response robots() const;

  /// The answer of the API to a GET, and its body where it is 200.
  struct Answer {
    int status = 0;
    std::string body;
    boost::json::object object;
  };
  Answer ask(const std::string& target);
  std::string label_of(std::string_view facet, const std::string& id);
  EntryFiles files(std::string_view entry) const;
  Response page(int status, const Texts& texts, const PageParts& parts, std::string_view search = {},
                std::string_view entry = "src/main.tsx") const;

  Dependencies dependencies_;
  Sitemap sitemap_;
  std::mutex mutex_;
  std::string labels_version_;
  boost::json::object labels_;  // /v1/meta of that version
};

}  // namespace tonearm::web
