#pragma once
// Synonym sets: phrases that mean the same in `q` (SEARCH-4), a line per set, separated by commas (BUILD-5).

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

using Synonyms = std::vector<std::vector<std::string>>;

/// White space around phrases is dropped; a line with fewer than two phrases has no effect. Throws Failure, naming
/// `name` and the line, for what is not UTF-8.
Synonyms parse_synonyms(std::string_view text, const std::string& name);
Synonyms read_synonyms(const std::string& path);
/// The table that stands in force where no `--synonyms` is given (data/synonyms.txt).
Synonyms built_in_synonyms();

}  // namespace tonearm::builder
