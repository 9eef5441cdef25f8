#include "oracle_near.h"

#include <algorithm>
#include <tuple>

#include "text/unicode.h"

namespace tonearm::test::oracle {
namespace {

std::u32string letters_of(const std::string& text) {
  std::u32string letters;
  for (std::size_t at = 0; at < text.size();) letters += text::next_code_point(text, at);
  return letters;
}

/// The full matrix of optimal string alignment.
std::size_t distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1,
                              edits[i - 1][j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[a.size()][b.size()];
}

/// SUGGEST-5: two edits, or one in a short word.
bool are_near(const std::string& typed, const std::string& offered) {
  const std::u32string a = letters_of(typed);
  const std::u32string b = letters_of(offered);
  if (a.size() > 64 || b.size() > 64 || a.size() < 2) return false;
  return distance(a, b) <= (a.size() > 4 ? 2U : 1U);
}

}  // namespace

NearOracle::NearOracle(const std::vector<Track>& tracks, const SnapshotOptions& options, Words& words) : words_(words) {
  for (const Track& track : tracks) {
    if (track.taken_down) continue;
    std::vector<std::string> texts{track.title, track.matching_title, track.artist, track.description};
    texts.insert(texts.end(), track.matching_words.begin(), track.matching_words.end());
    if (track.category) texts.emplace_back(kCategories[*track.category].label);
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (const std::string& tag : track.tags[facet]) {
        texts.push_back(tag);
        const auto label = options.tag_labels[facet].find(tag);
        if (label != options.tag_labels[facet].end()) texts.push_back(label->second);
      }
    }
    std::set<std::string> wholes;
    for (const std::string& text : texts) {
      for (const Token& token : words.of(text)) {
        wholes.insert(token.whole);
        stems_.insert(token.stem);
      }
    }
    const auto kind = static_cast<std::size_t>(track.kind);
    for (const std::string& whole : wholes) ++whole_words_[whole].at(kind);
    if (!track.artist.empty()) ++creators_[text::fold_case(track.artist)].at(kind);
  }
  for (const auto& set : options.synonyms) {
    for (const auto& phrase : set) {
      for (const Token& token : words.of(phrase)) of_synonyms_.insert(token.stem);
    }
  }
}

bool NearOracle::is_near_word(const Token& typed, const Token& offered) const {
  return stems_.count(typed.stem) == 0 && whole_words_.count(offered.whole) != 0 &&
         are_near(typed.whole, offered.whole);
}

bool NearOracle::is_near_creator(const std::string& typed, const std::string& offered) const {
  const std::string folded = text::fold_case(typed);
  const std::string other = text::fold_case(offered);
  return creators_.count(folded) == 0 && creators_.count(other) != 0 && are_near(folded, other);
}

std::vector<std::string> NearOracle::best_of(const std::string& folded, Kind kind, const WordCounts& words) {
  std::vector<std::tuple<std::size_t, std::size_t, std::string>> near;
  for (const auto& [other, counts] : words) {
    if (!are_near(folded, other)) continue;
    near.emplace_back(distance(letters_of(folded), letters_of(other)),
                      SIZE_MAX - counts.at(static_cast<std::size_t>(kind)), other);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> best;
  for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i) best.push_back(std::get<2>(near[i]));
  return best;
}

std::vector<std::string> NearOracle::near_queries(const std::string& q, Kind kind) const {
  const std::vector<Token>& tokens = words_.of(q);
  std::set<std::string> unknown;
  for (const Token& token : tokens) {
    if (stems_.count(token.stem) != 0) continue;
    // A function word that no track has is not looked up.
    static const std::set<std::string> kMaybeFunction{"the",     "of",     "a",     "and",  "music",
                                                      "sound",   "tracks", "songs", "tune", "tunes",
                                                      "effects", "audio",  "song",  "by",   "or"};
    if (of_synonyms_.count(token.stem) != 0 || kMaybeFunction.count(token.whole) != 0) return {};
    unknown.insert(token.stem);
  }
  if (unknown.size() != 1) return {};
  const auto typed =
      std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) { return token.stem == *unknown.begin(); });
  std::vector<std::string> queries;
  for (const std::string& offered : best_of(typed->whole, kind, whole_words_)) {
    std::string query;
    for (const Token& token : tokens) query += (token.stem == typed->stem ? offered : token.whole) + ' ';
    queries.push_back(query);
  }
  return queries;
}

std::vector<std::string> NearOracle::near_creators(const std::string& name, Kind kind) const {
  const std::string folded = text::fold_case(name);
  if (creators_.count(folded) != 0) return {};
  return best_of(folded, kind, creators_);
}

}  // namespace tonearm::test::oracle
