#pragma once
// Collects the section `completions` while tracks are added (COMPLETE-1 to COMPLETE-4).

#include <functional>
#include <string>
#include <unordered_map>

#include "catalog/index/completions.h"
#include "catalog/writer/track_terms.h"

namespace tonearm::catalog {

/// COMPLETE-2: words and pairs of words are offered if at least so many tracks have them; of each kind, the most
/// frequent ones.
inline constexpr std::uint32_t kFrequentMin = 3;
inline constexpr std::size_t kFrequentMax = 100'000;

/// The words of a text as the tokenizer folds them.
struct FoldedText {
  std::string words;          // with single spaces
  std::size_t last_word = 0;  // where the last one begins
};
FoldedText fold_words(const std::string& text, Tokenizer& tokenizer);

class CompletionsBuilder {
 public:
  /// REQUIRES: the track is not taken down; `text` belongs to it.
  void add(const Track& track, const TrackText& text, Tokenizer& tokenizer);

  /// Returns the number of tracks of a kind that a search for a text finds with match=all.
  using TotalOf = std::function<std::uint64_t(Kind kind, const std::string& text)>;
  /// Returns the section. Texts that find nothing are omitted.
  std::string finish(const TotalOf& total_of, Tokenizer& tokenizer);

 private:
  struct Candidate {
    std::string text;
    std::size_t last_word = 0;  // as in CompletionText
    CompletionField field = CompletionField::words;
    std::uint32_t tracks = 0;
  };
  /// By folded text.
  using Candidates = std::unordered_map<std::string, Candidate>;

  void add_text(Candidates& candidates, const std::string& text, CompletionField field, Tokenizer& tokenizer);
  void count_words(Candidates& frequent, const TrackText& text, Tokenizer& tokenizer) const;

  std::array<Candidates, kKindNames.size()> whole_;
  std::array<Candidates, kKindNames.size()> frequent_;  // words and pairs
};

}  // namespace tonearm::catalog
