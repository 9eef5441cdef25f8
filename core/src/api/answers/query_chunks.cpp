#include "api/answers/query_chunks.h"

#include <algorithm>

#include "text/unicode.h"

namespace tonearm::api {
namespace {

/// Returns the non-empty pieces between separators.
std::vector<std::string_view> split_at_separators(std::string_view q) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < q.size();) {
    const std::size_t from = at;
    if (!text::is_word_separator(text::next_code_point(q, at))) continue;
    if (from > begin) pieces.push_back(q.substr(begin, from - begin));
    begin = at;
  }
  if (begin < q.size()) pieces.push_back(q.substr(begin));
  return pieces;
}

}  // namespace

std::vector<QueryChunk> split_chunks(std::string_view q, std::span<const Catalog::QueryTerm> terms) {
  std::vector<QueryChunk> chunks;
  const auto end_of = [&](std::string_view piece) {
    return static_cast<std::size_t>(piece.data() - q.data()) + piece.size();
  };
  const Catalog::QueryTerm* before = nullptr;  // the last term of the chunks so far
  for (const std::string_view piece : split_at_separators(q)) {
    QueryChunk chunk{piece, {}};
    for (; !terms.empty() && terms.front().begin < end_of(piece); terms = terms.subspan(1)) {
      const Catalog::QueryTerm& term = terms.front();
      // A synonym's phrase started in the previous chunk: merge this one into it.
      if (chunk.clauses.empty() && before != nullptr && before->phrase == term.phrase) {
        while (chunks.back().clauses.empty()) chunks.pop_back();  // punctuation inside the phrase
        const auto begin = static_cast<std::size_t>(chunks.back().text.data() - q.data());
        QueryChunk merged = std::move(chunks.back());
        chunks.pop_back();
        merged.text = q.substr(begin, end_of(piece) - begin);
        chunk = std::move(merged);
      }
      chunk.clauses.push_back(term.clause);
      chunk.is_required = chunk.is_required || term.is_required;
      chunk.known = chunk.known && term.known;
      chunk.is_of_negation = chunk.is_of_negation || term.is_negation || term.is_unwanted;
      before = &term;
    }
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

std::string respell(std::string_view q, std::string_view part, std::span<const Respelling> respellings) {
  const auto begin = static_cast<std::size_t>(part.data() - q.data());
  const std::size_t end = begin + part.size();
  std::string text;
  std::size_t at = begin;
  for (const Respelling& respelling : respellings) {
    if (respelling.begin < begin || respelling.end > end) continue;
    text.append(q.substr(at, respelling.begin - at)).append(respelling.text);
    at = respelling.end;
  }
  return text.append(q.substr(at, end - at));
}

std::string without_chunks(std::string_view q, std::span<const QueryChunk> chunks, const std::vector<bool>& dropped,
                           std::span<const Respelling> respellings) {
  std::string kept;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (dropped[i] || chunks[i].clauses.empty()) continue;
    if (!kept.empty()) kept += ' ';
    kept += respell(q, chunks[i].text, respellings);
  }
  return text::one_line(kept);
}

}  // namespace tonearm::api
