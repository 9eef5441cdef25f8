#pragma once
// The words of sources and the tags that they mean: a file for each facet (data/genre.toml, ...), an entry for each
// tag.
//
//   "drum-and-bass" = { label = "Drum & Bass", words = ["dnb"], freemusi-cc = ["drum & bass"], also = ["mood:driving"]
//   }
//
//   "relaxed" = { of = "calm", words = ["relax"] }
//   "calm"    = { from = ["serene"] }
//
// `label` where the words of the id are not it; `words` of every source, besides id and label; words of one source
// under its name; `also` what else the word says. Cleaning (BUILD-19) counts a tag as the one that `of` names (as none:
// its word is kept in the description), and ids that sources gave as the one that names them in `from`. Pure, but for
// the files that are compiled in.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Case-folded words, each with its targets: "facet:tag-id", "tone:dark" or "energy:calm"; none: the word is ignored.
using Vocabulary = std::map<std::string, std::vector<std::string>>;

/// Labels of tags by facet and id.
using TagLabels = std::array<std::map<std::string, std::string>, kFacetCount>;

/// What the facets' files say to one source.
struct FacetWords {
  std::array<Vocabulary, kFacetCount> own;      // words listed under its name
  std::array<Vocabulary, kFacetCount> general;  // words of every source
};

/// The keys of an entry that are no name of a source.
bool is_vocabulary_key(std::string_view key);

/// Throws Failure for a file that is not understood.
FacetWords facet_words(const std::string& source);
TagLabels facet_labels();

/// A tag of the facets that have one scale for all sources, moods and effects, and what it counts as.
struct TagAlias {
  Facet facet = Facet::sfx;
  std::string id;
  std::string of;  // "facet:tag-id"; empty: a word alone
};
/// All entries of the two facets, those of the scale as themselves, and all ids in `from`. Ids in the `from` of another
/// facet are those of effects. Throws Failure where a tag counts as what is none, or as two.
std::vector<TagAlias> tag_aliases();

/// "genre:trip-hop", "tone:dark", "energy:calm"
bool is_target(std::string_view target);

/// The targets of a case-folded word: those of the source's own lists in any of the facets, else those of the first
/// facet that knows it; empty where none does.
std::vector<std::string> targets_of(const FacetWords& words, const std::vector<Facet>& facets, const std::string& word);

}  // namespace tonearm::builder
