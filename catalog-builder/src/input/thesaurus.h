#pragma once
// The thesaurus as text (BUILD-5): each line is a set of phrases that mean the same in `q` (SEARCH-4), or a phrase and
// those that are narrower (>) or related (~).

#include <string>
#include <string_view>
#include <vector>

#include "tonearm/thesaurus.h"

namespace tonearm::builder {

struct Thesaurus {
  std::vector<std::vector<std::string>> synonyms;  // sets of at least two phrases
  std::vector<PhraseRelation> relations;
};

/// Trims white space around phrases, and ignores sets with fewer than two phrases. Throws Failure with `name` and the
/// line if the text is not UTF-8 or a relation is malformed.
Thesaurus parse_thesaurus(std::string_view text, const std::string& name);
Thesaurus read_thesaurus(const std::string& path);
/// The default without `--synonyms`: data/synonyms.txt, data/relations.txt, data/relations_ucs.txt.
Thesaurus built_in_thesaurus();

}  // namespace tonearm::builder
