#include "input/synonyms.h"

#include "input/line_reader.h"
#include "runtime/embedded.h"
#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

void add_line(Synonyms& out, std::string_view line, const std::string& name, std::uint64_t number) {
  if (!text::is_utf8(line)) throw Failure(name + ":" + std::to_string(number) + ": is not UTF-8");
  std::vector<std::string> phrases;
  for (std::size_t begin = 0; begin <= line.size();) {
    const auto end = std::min(line.find(',', begin), line.size());
    auto phrase = text::one_line(line.substr(begin, end - begin));
    if (!phrase.empty()) phrases.push_back(std::move(phrase));
    begin = end + 1;
  }
  if (phrases.size() > 1) out.push_back(std::move(phrases));
}

}  // namespace

Synonyms parse_synonyms(std::string_view text, const std::string& name) {
  Synonyms result;
  std::uint64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    add_line(result, text.substr(begin, end - begin), name, ++number);
    begin = end + 1;
  }
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
