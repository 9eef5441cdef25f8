#pragma once
// Maps the words of sources to tags. Each facet has a file (data/genre.toml, ...) with an entry for each tag:
//
//   "drum-and-bass" = { label = "Drum & Bass", words = ["dnb"], freemusi-cc = ["drum & bass"], also = ["mood:driving"]
//   }
//
//   "relaxed" = { of = "calm", words = ["relax"] }
//   "calm"    = { from = ["serene"] }
//
// `label`: the label, if it differs from the id; `words`: words of every source, besides id and label; a source's name:
// words of that source; `also`: further targets of the word. For cleaning (BUILD-19), a tag is an alias of the one in
// `of` (if empty, its word moves to the description), and ids in `from` are aliases of the entry. Pure, except for the
// embedded files.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Case-folded words with their targets: "facet:tag-id", "tone:dark" or "energy:calm". Words without targets are
/// ignored.
using Vocabulary = std::map<std::string, std::vector<std::string>>;

/// Labels of tags by facet and id.
using TagLabels = std::array<std::map<std::string, std::string>, kFacetCount>;

/// The words of the facets' files for one source.
struct FacetWords {
  std::array<Vocabulary, kFacetCount> own;      // words listed under its name
  std::array<Vocabulary, kFacetCount> general;  // words of every source
};

/// Whether a key of an entry is not the name of a source.
bool is_vocabulary_key(std::string_view key);

/// Throws Failure for an invalid file.
FacetWords facet_words(const std::string& source);
TagLabels facet_labels();

/// A mood or effect tag, and the tag that it is normalized to.
struct TagAlias {
  Facet facet = Facet::sfx;
  std::string id;
  std::string of;  // "facet:tag-id"; empty: only a word
};
/// Returns all entries of the two facets, and all ids in `from`; in other facets these are effect tags. Throws Failure
/// if a tag is an alias of an alias, or of two tags.
std::vector<TagAlias> tag_aliases();

/// Whether it is a target: "genre:trip-hop", "tone:dark", "energy:calm".
bool is_target(std::string_view target);

/// Returns the targets of a case-folded word: those of the source's own words in any of the facets, otherwise those of
/// the first facet that lists it; empty if none does.
std::vector<std::string> targets_of(const FacetWords& words, const std::vector<Facet>& facets, const std::string& word);

}  // namespace tonearm::builder
