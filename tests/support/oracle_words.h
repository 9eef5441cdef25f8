#pragma once
// The words of texts, asked of SQLite itself: FTS5 tables read back through fts5vocab, so that nothing of the
// core's own reading of words is in it. Used by one thread at a time.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/sqlite.h"

namespace tonearm::test::oracle {

/// One word as SEARCH-2 knows it, and the same before stemming (SEARCH-5's list is of whole words).
struct Token {
  std::string stem;
  std::string whole;
};

class Words {
 public:
  Words();

  /// Reads many texts at once and keeps their words.
  void learn(const std::vector<std::string>& texts);
  /// The words of a text, in order; reads it if need be.
  const std::vector<Token>& of(const std::string& text);

 private:
  using Texts = std::vector<const std::string*>;
  std::vector<std::vector<std::string>> read(const std::string& table, const Texts& texts);

  sql::SqliteHandle database_;
  std::map<std::string, std::vector<Token>> known_;
};

}  // namespace tonearm::test::oracle
