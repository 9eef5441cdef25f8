#pragma once
// Sets of synonyms: phrases that are equivalent in `q` (SEARCH-4). Each line is a set, separated by commas (BUILD-5).

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

using Synonyms = std::vector<std::vector<std::string>>;

/// Trims white space around phrases, and ignores lines with fewer than two phrases. Throws Failure with `name` and the
/// line if the text is not UTF-8.
Synonyms parse_synonyms(std::string_view text, const std::string& name);
Synonyms read_synonyms(const std::string& path);
/// The default without `--synonyms` (data/synonyms.txt).
Synonyms built_in_synonyms();

}  // namespace tonearm::builder
