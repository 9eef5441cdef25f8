#pragma once
// The texts of the pages in every language that has a file in web-demo-server/texts. Immutable, thread-safe.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/http.h"

namespace tonearm::web {

class Translations {
 public:
  /// REQUIRES: `language` is one of `languages()`.
  static const Translations& for_language(std::string_view language);
  static const std::vector<std::string>& languages();
  /// Returns the language of `lang=` in the query, else the one that Accept-Language prefers, else English.
  static const Translations& negotiate(std::string_view query, const Headers& headers);

  const std::string& language() const { return language_; }
  /// Throws std::logic_error if the text does not exist.
  const std::string& operator()(std::string_view name) const;
  /// Replaces `{}` by `value`.
  std::string operator()(std::string_view name, std::string_view value) const;
  std::vector<std::string> names() const;

 private:
  Translations(std::string language, std::string_view json);
  static const std::map<std::string, Translations, std::less<>>& all();

  std::string language_;
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace tonearm::web
