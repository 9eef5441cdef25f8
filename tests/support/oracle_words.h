#pragma once
// Tokenizes texts with SQLite itself: FTS5 tables read back through fts5vocab, so that it shares nothing with the
// core's tokenizer. Used by one thread at a time.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/sqlite.h"

namespace tonearm::test::oracle {

/// A word of SEARCH-2, stemmed and unstemmed (SEARCH-5 lists whole words).
struct Token {
  std::string stem;
  std::string whole;
};

class Words {
 public:
  Words();

  /// Tokenizes many texts at once and caches their words.
  void learn(const std::vector<std::string>& texts);
  /// Returns the words of a text in order; tokenizes it on demand.
  const std::vector<Token>& of(const std::string& text);

 private:
  using Texts = std::vector<const std::string*>;
  std::vector<std::vector<std::string>> read(const std::string& table, const Texts& texts);

  sql::SqliteHandle database_;
  std::map<std::string, std::vector<Token>> known_;
};

}  // namespace tonearm::test::oracle
