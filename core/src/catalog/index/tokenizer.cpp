#include "catalog/index/tokenizer.h"

#include <sqlite3.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "catalog/storage/statement.h"

namespace tonearm::catalog {
namespace {

// FTS5 truncates longer tokens before it stores them (FTS5_MAX_TOKEN_SIZE).
constexpr int kTokenBytesMax = 32'768;

fts5_api& find_api(sqlite3* database) {
  fts5_api* api = nullptr;
  Statement select(database, "SELECT fts5(?1)");
  sqlite3_bind_pointer(select.handle(), 1, &api, "fts5_api_ptr", nullptr);
  select.step();
  if (api == nullptr || api->iVersion < 3) throw Failure("this SQLite has no FTS5 with tokenizers");
  return *api;
}

}  // namespace

Tokenizer::Instance Tokenizer::make(sqlite3* database, const char* name, std::vector<const char*> arguments) {
  fts5_api& api = find_api(database);
  void* user_data = nullptr;
  fts5_tokenizer_v2* methods = nullptr;
  Fts5Tokenizer* tokenizer = nullptr;
  if (api.xFindTokenizer_v2(&api, name, &user_data, &methods) != SQLITE_OK ||
      methods->xCreate(user_data, arguments.data(), static_cast<int>(arguments.size()), &tokenizer) != SQLITE_OK) {
    throw Failure("FTS5 has no tokenizer " + std::string(name));
  }
  return {tokenizer, DeleteInstance{methods}};
}

void Tokenizer::DeleteInstance::operator()(Fts5Tokenizer* tokenizer) const { methods->xDelete(tokenizer); }

Tokenizer::Tokenizer(sqlite3* database)
    : porter_(make(database, "porter", {"unicode61", "remove_diacritics", "2"})),
      unicode_(make(database, "unicode61", {"remove_diacritics", "2"})) {}

void Tokenizer::run(const Instance& instance, std::string_view text, const OnToken& on_token) {
  if (text.empty()) return;
  // An exception must not cross SQLite's C frames, so it is stored and rethrown.
  struct Call {
    const OnToken& on_token;
    std::exception_ptr failure;
  } call{on_token, nullptr};
  const auto forward = [](void* context, int /*flags*/, const char* token, int size, int begin, int end) -> int {
    auto& to = *static_cast<Call*>(context);
    try {
      to.on_token({token, static_cast<std::size_t>(std::min(size, kTokenBytesMax))}, static_cast<std::size_t>(begin),
                  static_cast<std::size_t>(end));
    } catch (...) {
      to.failure = std::current_exception();
      return SQLITE_ABORT;
    }
    return SQLITE_OK;
  };
  const int code = instance.get_deleter().methods->xTokenize(instance.get(), &call, FTS5_TOKENIZE_DOCUMENT, text.data(),
                                                             static_cast<int>(text.size()), nullptr, 0, forward);
  if (call.failure) std::rethrow_exception(call.failure);
  if (code != SQLITE_OK) throw Failure("the tokenizer failed");
}

void Tokenizer::each_stem(std::string_view text, const std::function<void(std::string_view)>& on_stem) {
  run(porter_, text, [&](std::string_view token, std::size_t, std::size_t) { on_stem(token); });
}

void Tokenizer::each_folded(std::string_view text, const std::function<void(std::string_view)>& on_folded) {
  run(unicode_, text, [&](std::string_view token, std::size_t, std::size_t) { on_folded(token); });
}

std::vector<Token> Tokenizer::tokens(std::string_view text) {
  std::vector<Token> tokens;
  run(porter_, text, [&](std::string_view token, std::size_t begin, std::size_t end) {
    tokens.push_back({std::string(token), {}, begin, end});
  });
  // The stemmer maps the tokens of unicode61 one to one.
  std::size_t next = 0;
  run(unicode_, text,
      [&](std::string_view token, std::size_t, std::size_t) { tokens.at(next++).folded = std::string(token); });
  return tokens;
}

bool is_word(std::string_view folded, Tokenizer& tokenizer) {
  std::size_t count = 0;
  bool is_same = true;
  tokenizer.each_folded(folded, [&](std::string_view token) {
    ++count;
    is_same = is_same && token == folded;
  });
  return count == 1 && is_same;
}

}  // namespace tonearm::catalog
