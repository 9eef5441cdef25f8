#include "engine.h"

#include <sstream>

namespace tonearm::bench {

std::string page_body(const std::vector<std::string>& tracks, std::uint64_t total, const SearchQuery& search) {
  std::size_t size = 100;
  for (const auto& track : tracks) size += track.size() + 1;
  std::string body;
  body.reserve(size);
  body += R"({"tracks":[)";
  for (const auto& track : tracks) {
    if (body.back() != '[') body += ',';
    body += track;
  }
  body += R"(],"total":)" + std::to_string(total) + R"(,"cursor":)";
  const std::uint64_t next = std::uint64_t{search.offset} + search.limit;
  return body += next < total ? '"' + std::to_string(next) + "\"}" : "null}";
}

std::vector<std::string> words_of(const SearchQuery& search) {
  std::vector<std::string> words;
  std::istringstream text(search.q);
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

Sort order_of(const SearchQuery& search) {
  const Sort sort = effective_sort(search.sort, !search.q.empty());
  return sort == Sort::relevance && search.q.empty() ? Sort::quality : sort;
}

}  // namespace tonearm::bench
