#include "input/thesaurus.h"

#include <algorithm>
#include <array>
#include <optional>

#include "input/line_reader.h"
#include "runtime/embedded.h"
#include "text/split.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"
#include "values/decimal.h"

namespace tonearm::builder {
namespace {

constexpr std::array<std::string_view, 3> kBuiltIn{"data/synonyms.txt", "data/relations.txt", "data/relations_ucs.txt"};

/// Weights in thousandths.
constexpr std::uint64_t kWhole = 1000;
constexpr std::uint64_t kNarrowerWeight = 400;
constexpr std::uint64_t kRelatedWeight = 200;

/// Converts thousandths to 256ths.
std::uint8_t in_256ths(std::uint64_t thousandths) {
  return static_cast<std::uint8_t>(std::clamp<std::uint64_t>((thousandths * 256 + kWhole / 2) / kWhole, 1, 255));
}

/// A relation's sign as a word of a line.
struct Sign {
  std::size_t begin = 0;
  Relation relation = Relation::narrower;
};

std::optional<Sign> find_sign(std::string_view line, std::size_t from = 0) {
  for (std::size_t at = from; at < line.size(); ++at) {
    const bool is_word = (at == 0 || line[at - 1] == ' ') && (at + 1 == line.size() || line[at + 1] == ' ');
    if (is_word && line[at] == '>') return Sign{at, Relation::narrower};
    if (is_word && line[at] == '~') return Sign{at, Relation::related};
  }
  return std::nullopt;
}

std::vector<std::string> phrases_of(std::string_view text) {
  std::vector<std::string> phrases;
  for (const auto part : text::split(text, ',')) {
    auto phrase = text::one_line(part);
    if (!phrase.empty()) phrases.push_back(std::move(phrase));
  }
  return phrases;
}

/// Counts the words of a phrase as the tokenizer finds them, except that all characters beyond ASCII are letters.
std::size_t count_words(std::string_view phrase) {
  std::size_t words = 0;
  bool is_inside = false;
  for (const char c : phrase) {
    const bool is_letter = ascii::is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80;
    if (is_letter && !is_inside) ++words;
    is_inside = is_letter;
  }
  return words;
}

class Lines {
 public:
  explicit Lines(const std::string& name) : name_(name) {}

  void add(std::string_view line, std::uint64_t number) {
    number_ = number;
    if (!text::is_utf8(line)) fail("is not UTF-8");
    const std::string text = text::one_line(line);
    if (const auto sign = find_sign(text)) return add_relations(text, *sign);
    auto phrases = phrases_of(text);
    if (phrases.size() > 1) table_.synonyms.push_back(std::move(phrases));
  }
  Thesaurus take() { return std::move(table_); }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Failure(name_ + ":" + std::to_string(number_) + ": " + what);
  }

  void add_relations(std::string_view line, const Sign& sign) {
    const std::string_view targets = line.substr(sign.begin + 1);
    if (find_sign(targets)) fail("has more than one > or ~");
    const auto phrases = phrases_of(line.substr(0, sign.begin));
    if (phrases.size() != 1) fail("needs one phrase before > or ~");
    check_phrase(phrases.front());
    const auto found = phrases_of(targets);
    if (found.empty()) fail("has no phrase after > or ~");
    for (const auto& target : found) add_relation(phrases.front(), target, sign.relation);
  }

  /// `target`: a phrase, and perhaps its weight.
  void add_relation(const std::string& phrase, std::string_view target, Relation relation) {
    std::uint64_t weight = relation == Relation::narrower ? kNarrowerWeight : kRelatedWeight;
    const std::string_view last = target.substr(target.rfind(' ') + 1);
    if (last.find('.') != std::string_view::npos && is_json_number(last)) {
      weight = scale_decimal(last, 3).value_or(0);
      if (weight == 0 || weight >= kWhole) fail("has a weight that is not between 0 and 1: " + std::string(last));
      target.remove_suffix(last.size());
    }
    std::string named = text::one_line(target);
    check_phrase(named);
    table_.relations.push_back({phrase, std::move(named), relation, in_256ths(weight)});
  }

  void check_phrase(const std::string& phrase) const {
    const std::size_t words = count_words(phrase);
    if (words == 0) fail("has a phrase without a word");
    if (words > kRelatedWordsMax) {
      fail("has a phrase of more than " + std::to_string(kRelatedWordsMax) + " words: " + phrase);
    }
  }

  const std::string& name_;
  std::uint64_t number_ = 0;
  Thesaurus table_;
};

}  // namespace

Thesaurus parse_thesaurus(std::string_view text, const std::string& name) {
  Lines parsed(name);
  std::uint64_t number = 0;
  for (const auto line : text::split(text, '\n')) parsed.add(line, ++number);
  return parsed.take();
}

Thesaurus read_thesaurus(const std::string& path) {
  Lines parsed(path);
  LineReader lines(path);
  while (lines.next()) {
    if (lines.too_long())
      throw Failure(path + ":" + std::to_string(lines.number()) + ": the line is longer than 1 MiB");
    parsed.add(lines.line(), lines.number());
  }
  return parsed.take();
}

Thesaurus built_in_thesaurus() {
  Thesaurus all;
  for (const std::string_view name : kBuiltIn) {
    Thesaurus part = parse_thesaurus(embedded_file(name), std::string(name));
    std::move(part.synonyms.begin(), part.synonyms.end(), std::back_inserter(all.synonyms));
    std::move(part.relations.begin(), part.relations.end(), std::back_inserter(all.relations));
  }
  return all;
}

}  // namespace tonearm::builder
