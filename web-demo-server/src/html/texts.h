#pragma once
// The words of the pages, in each language that there is a file for (web-demo-server/texts). Constant, thread-safe.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/http.h"

namespace tonearm::web {

class Texts {
 public:
  /// Of one language. REQUIRES: it is one of `languages()`.
  static const Texts& of(std::string_view language);
  static const std::vector<std::string>& languages();
  /// What `lang=` of the query says, else what Accept-Language prefers, else English.
  static const Texts& chosen(std::string_view query, const Headers& headers);

  const std::string& language() const { return language_; }
  /// Throws std::logic_error where the language has no such text.
  const std::string& operator()(std::string_view name) const;
  /// With `{}` replaced.
  std::string operator()(std::string_view name, std::string_view value) const;
  /// All names.
  std::vector<std::string> names() const;

 private:
  Texts(std::string language, std::string_view json);
  static const std::map<std::string, Texts, std::less<>>& all();

  std::string language_;
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace tonearm::web
