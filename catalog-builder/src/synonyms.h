#pragma once
// Sets of phrases that mean the same in `q` (C4.2): a line a set, phrases separated by commas.

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

using Synonyms = std::vector<std::vector<std::string>>;

/// White space around phrases does not count; lines with fewer than two phrases say nothing. Throws Failure, naming
/// `name` and the line, for what is not UTF-8.
Synonyms parse_synonyms(std::string_view text, const std::string& name);
Synonyms read_synonyms(const std::string& path);
/// The table that stands in force where no `--synonyms` is given (data/synonyms.txt).
Synonyms built_in_synonyms();

}  // namespace tonearm::builder
