#include "input/synonyms.h"

#include "input/line_reader.h"
#include "runtime/embedded.h"
#include "text/split.h"
#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

void add_line(Synonyms& out, std::string_view line, const std::string& name, std::uint64_t number) {
  if (!text::is_utf8(line)) throw Failure(name + ":" + std::to_string(number) + ": is not UTF-8");
  std::vector<std::string> phrases;
  for (const auto part : text::split(line, ',')) {
    auto phrase = text::one_line(part);
    if (!phrase.empty()) phrases.push_back(std::move(phrase));
  }
  if (phrases.size() > 1) out.push_back(std::move(phrases));
}

}  // namespace

Synonyms parse_synonyms(std::string_view text, const std::string& name) {
  Synonyms result;
  std::uint64_t number = 0;
  for (const auto line : text::split(text, '\n')) add_line(result, line, name, ++number);
  return result;
}

Synonyms read_synonyms(const std::string& path) {
  Synonyms result;
  LineReader lines(path);
  while (lines.next()) {
    if (lines.too_long())
      throw Failure(path + ":" + std::to_string(lines.number()) + ": the line is longer than 1 MiB");
    add_line(result, lines.line(), path, lines.number());
  }
  return result;
}

Synonyms built_in_synonyms() { return parse_synonyms(embedded_file("data/synonyms.txt"), "data/synonyms.txt"); }

}  // namespace tonearm::builder
