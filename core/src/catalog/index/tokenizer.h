#pragma once
// Tokenizes texts with FTS5's own tokenizer (SEARCH-2): `porter unicode61 remove_diacritics 2`. An instance belongs to
// one connection and one thread at a time. Pass only raw text: stemming a stem again can give another term.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct fts5_tokenizer_v2;
struct Fts5Tokenizer;

namespace tonearm::catalog {

struct Token {
  std::string stem;       // the term in the index
  std::string folded;     // without case and diacritics, not stemmed
  std::size_t begin = 0;  // byte offsets in the text
  std::size_t end = 0;
};

class Tokenizer {
 public:
  /// Throws Failure if the connection has no FTS5.
  explicit Tokenizer(sqlite3* database);

  /// Calls `on_stem` for the stem of each token. The view is valid during the call.
  void each_stem(std::string_view text, const std::function<void(std::string_view)>& on_stem);
  /// Calls `on_folded` for each token without case and diacritics, not stemmed.
  void each_folded(std::string_view text, const std::function<void(std::string_view)>& on_folded);
  std::vector<Token> tokens(std::string_view text);

 private:
  struct DeleteInstance {
    const fts5_tokenizer_v2* methods = nullptr;
    void operator()(Fts5Tokenizer* tokenizer) const;
  };
  using Instance = std::unique_ptr<Fts5Tokenizer, DeleteInstance>;
  using OnToken = std::function<void(std::string_view, std::size_t, std::size_t)>;
  static void run(const Instance& instance, std::string_view text, const OnToken& on_token);
  static Instance make(sqlite3* database, const char* name, std::vector<const char*> arguments);

  Instance porter_;
  Instance unicode_;
};

/// Whether the tokenizer returns a folded text unchanged as one token, so that a query for it finds that word.
bool is_word(std::string_view folded, Tokenizer& tokenizer);

}  // namespace tonearm::catalog
