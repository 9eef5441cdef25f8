#include "mapping/row_adapter.h"

#include <algorithm>

#include "canonical/check.h"
#include "canonical/license_statement.h"
#include "text/percent.h"
#include "text/unicode.h"
#include "values/dates.h"
#include "values/decimal.h"
#include "values/names.h"
#include "values/text_repair.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

/// The maximum number of words of a column in a row; real works have far fewer tags.
constexpr std::size_t kWordsMax = 1000;

/// Returns the number without leading zeros; nullopt if the text is not a number, or is 0.
std::optional<std::string> number_of(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');
  if (first == std::string::npos || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return digits.substr(first);
}

/// Returns the number in the pattern's first group; nullopt if there is none.
std::optional<std::string> number_in(const std::string& text, const boost::regex& pattern) {
  boost::smatch match;
  if (!boost::regex_search(text, match, pattern)) return std::nullopt;
  return number_of(match[1]);
}

/// Converts one row and counts its repairs.
class RowAdapter {
 public:
  RowAdapter(const Row& row, const Mapping& mapping, const InputRule& input, Report& report)
      : row_(row), mapping_(mapping), input_(input), report_(report) {}

  /// Sets the license, or returns why the row is rejected: one of its statements is rejected, or two of them differ
  /// (LINE-8).
  std::optional<Rejection> set_license(Line& line) {
    if (states_several_licenses()) {
      return Rejection{Reason::license_ambiguous, "the row and its joined rows state several licenses", line.id};
    }
    std::optional<Rejection> rejection;
    for (const auto& field : input_.license) {
      const auto text = value("license", field);
      if (!text) continue;  // check.h handles rows without a license
      const auto* rule = rule_of(*text);
      if (rule == nullptr) {
        return Rejection{Reason::license_unknown, "no rule knows the license " + text::quotable(*text), line.id};
      }
      if (rule->id.empty())
        return Rejection{rule->reason, rule->rejection_message + ": " + text::quotable(*text), line.id};
      if (line.license && !may_be_same_license(*line.license, rule->id)) {
        rejection = {Reason::license_ambiguous, "the row states both " + *line.license + " and " + rule->id, line.id};
      }
      if (!line.license || lacks_version(*line.license)) line.license = rule->id;
    }
    return rejection;
  }

  void set_urls(Line& line) {
    line.source_page = url_value("source_page");
    line.preview_url = url_value("preview_url");
    line.original_url = url_value("original_url");
  }

  void set_made_from(Line& line) {
    for (const auto& rule : input_.made_from) {
      for (const auto& text : row_.all(rule.column)) {
        boost::sregex_iterator match(text.begin(), text.end(), rule.number);
        for (; match != boost::sregex_iterator(); ++match) {
          const auto number = number_of((*match)[1]);
          const auto id = rule.id_prefix + "-" + number.value_or("");
          const bool is_known = std::find(line.made_from.begin(), line.made_from.end(), id) != line.made_from.end();
          if (number && !is_known) line.made_from.push_back(id);
        }
      }
    }
  }

  /// Sets everything except the id, the license and the URLs.
  void set_values(Line& line) {
    if (input_.fields.contains("kind")) {
      line.kind = value("kind").value_or("");  // other values are rejected
    } else {
      line.kind = kKindNames[static_cast<std::size_t>(input_.kind)];
    }
    line.source = value("source").value_or(input_.domain);
    line.title = one_line("title");
    line.artist = one_line("artist").value_or("");
    if (!line.artist.empty() && text::is_utf8(line.artist) && !is_creditable_name(line.artist)) {
      count_repair("artist that names nobody dropped");
      line.artist.clear();
    }
    line.description = sanitize_lines(repaired("description").value_or(""));
    line.duration_s = value("duration_s");
    line.bpm = value("bpm");
    line.vocals = value("vocals");
    line.key = value("key");
    line.loudness_lufs = value("loudness_lufs");
    line.credit_as = one_line("credit_as").value_or("");
    line.content_id = value("content_id");
    line.published = value("published");
    line.category = value("category");
    line.energy = value("energy");
    line.tone = value("tone");
    line.quality = value("quality");
    line.loop = value("loop") == "true";
    add_tags_of_row(line);
  }

 private:
  /// Whether a license column has several values, of which none counts (LINE-8).
  bool states_several_licenses() const {
    return std::any_of(input_.license_columns.begin(), input_.license_columns.end(),
                       [&](const std::string& column) { return row_.all(column).size() > 1; });
  }

  const LicenseRule* rule_of(const std::string& text) const {
    const auto found = std::find_if(mapping_.licenses.begin(), mapping_.licenses.end(),
                                    [&](const LicenseRule& rule) { return boost::regex_search(text, rule.match); });
    return found == mapping_.licenses.end() ? nullptr : &*found;
  }

  void count_repair(const std::string& what) { ++report_.repairs[mapping_.name + ": " + what]; }

  /// Returns the values before any step: those of a column, or one text.
  std::vector<std::string> raw_values(const FieldRule& rule) const {
    if (rule.constant) return {*rule.constant};
    if (rule.text_template.empty()) return row_.all(rule.column);
    const auto text = filled_template(rule);
    if (!text) return {};
    return {*text};
  }

  std::optional<std::string> filled_template(const FieldRule& rule) const {
    std::string out;
    const std::string_view form = rule.text_template;
    for (std::size_t at = 0; at < form.size();) {
      const auto open = std::min(form.find('{', at), form.size());
      out += form.substr(at, open - at);
      const auto close = form.find('}', open);
      if (open == form.size() || close == std::string_view::npos) break;
      const bool is_path = form.substr(open + 1).starts_with('+');
      const auto begin = open + (is_path ? 2 : 1);
      const auto& text = row_.first(form.substr(begin, close - begin));
      if (text.empty()) return std::nullopt;
      out += text::encode_percent(text, is_path ? "/" : "");
      at = close + 1;
    }
    return out;
  }

  std::optional<std::string> converted(const std::string& key, const FieldRule& rule, std::string text) {
    if (rule.form == FieldRule::Form::text) return text;
    if (rule.form == FieldRule::Form::date) {
      auto date = iso_date(text);
      if (!date) count_repair("unclear " + key + " dropped");
      return date;
    }
    auto number = rule.form == FieldRule::Form::clock          ? clock_seconds(text)
                  : rule.form == FieldRule::Form::milliseconds ? seconds_of_milliseconds(text)
                                                               : std::optional(text);
    const auto scaled = number ? scale_decimal(*number, 0) : std::nullopt;
    if (!scaled || (rule.max && *scaled > *rule.max)) {
      count_repair("impossible " + key + " dropped");
      return std::nullopt;
    }
    return number;
  }

  std::optional<std::string> value(const std::string& key) {
    const auto found = input_.fields.find(key);
    if (found == input_.fields.end()) return std::nullopt;
    for (const auto& rule : found->second) {
      if (auto one = value(key, rule)) return one;
    }
    return std::nullopt;
  }

  std::optional<std::string> value(const std::string& key, const FieldRule& rule) {
    for (auto& text : raw_values(rule)) {
      for (const auto& pattern : rule.remove) text = boost::regex_replace(text, pattern, std::string());
      boost::smatch match;
      if (rule.pattern && !boost::regex_search(text, match, *rule.pattern)) continue;
      if (rule.pattern) text = std::string(match.size() > 1 && match[1].matched ? match[1] : match[0]);
      if (!rule.values.empty()) {
        const auto listed = rule.values.find(text);
        if (listed == rule.values.end()) return std::nullopt;
        text = listed->second;
      }
      if (text.empty()) return std::nullopt;
      return converted(key, rule, std::move(text));
    }
    return std::nullopt;
  }

  /// Returns a URL field. Malformed URLs are dropped and counted; the track remains valid.
  std::optional<std::string> url_value(const std::string& key) {
    const auto text = value(key);
    if (!text) return std::nullopt;
    auto trimmed = trimmed_url(*text);
    if (!is_http_url(trimmed)) {
      count_repair("broken " + key + " dropped");
      return std::nullopt;
    }
    if (trimmed != *text) count_repair("white space in " + key + " repaired");
    return trimmed;
  }

  std::optional<std::string> repaired(const std::string& key) {
    auto text = value(key);
    if (!text || !text::is_utf8(*text)) return text;
    if (mapping_.undo_double_encoding) {
      auto decoded = undo_double_encoding(*text);
      if (decoded != *text) count_repair("double-encoded " + key + " repaired");
      text = std::move(decoded);
    }
    if (mapping_.html) {
      auto decoded = decode_character_references(key == "description" ? strip_tags(*text) : *text);
      if (decoded != *text) count_repair("character references in " + key + " repaired");
      text = std::move(decoded);
    }
    return text;
  }

  std::optional<std::string> one_line(const std::string& key) {
    auto text = repaired(key);
    if (!text || !text::is_utf8(*text)) return text;
    return text::one_line(*text);
  }

  /// Returns the first kWordsMax words.
  std::vector<std::string> words(const TagRule& rule) {
    auto result = all_words(rule);
    if (result.size() > kWordsMax) {
      result.resize(kWordsMax);
      count_repair("words of " + rule.column + " beyond " + std::to_string(kWordsMax) + " dropped");
    }
    return result;
  }

  std::vector<std::string> all_words(const TagRule& rule) const {
    std::vector<std::string> result;
    for (const auto& whole : row_.all(rule.column)) {
      if (result.size() > kWordsMax) break;
      boost::smatch match;
      if (!text::is_utf8(whole) || (rule.pattern && !boost::regex_search(whole, match, *rule.pattern))) continue;
      const auto text = rule.pattern ? match[match.size() > 1 ? 1 : 0].str() : whole;
      if (!rule.split) {
        result.push_back(text);
        continue;
      }
      boost::sregex_token_iterator token(text.begin(), text.end(), *rule.split, -1);
      for (; token != boost::sregex_token_iterator() && result.size() <= kWordsMax; ++token)
        result.push_back(token->str());
    }
    return result;
  }

  /// Removes commas, semicolons, full stops and white space around the word, and its second copy if the rule says so.
  std::string trimmed_word(const TagRule& rule, const std::string& word) {
    const auto first = word.find_first_not_of(" \t\r\n,;.");
    if (first == std::string::npos) return {};
    const auto last = word.find_last_not_of(" \t\r\n,;.");
    const auto whole = std::string_view(word).substr(first, last - first + 1);
    const auto single = rule.remove_doubling ? remove_doubling(whole) : whole;
    if (single.size() != whole.size()) count_repair("doubled word repaired");
    return std::string(single);
  }

  void add_tags_of_row(Line& line) {
    static const Vocabulary kNone;
    for (const auto& rule : input_.tags) {
      const auto& vocabulary = rule.vocabulary.empty() ? kNone : mapping_.vocabularies.at(rule.vocabulary);
      for (const auto& word : words(rule)) {
        const auto trimmed = trimmed_word(rule, word);
        if (trimmed.empty()) continue;
        const auto folded = text::fold_case(trimmed);
        const auto listed = vocabulary.find(folded);
        const auto targets =
            listed != vocabulary.end() ? listed->second : targets_of(mapping_.facet_words, rule.facets, folded);
        for (const auto& target : targets) add_target(line, target);
        if (targets.empty() && listed == vocabulary.end()) add_unlisted(line, rule, trimmed);
      }
    }
    if (tone_conflict_) line.tone.reset();
    if (energy_conflict_) line.energy.reset();
  }

  void add_unlisted(Line& line, const TagRule& rule, const std::string& word) {
    if (!rule.vocabulary.empty() || !rule.facets.empty())
      report_.count_unlisted(mapping_.name + ": " + rule.column + ": " + word);
    const auto id = tag_id_from(word);
    if (id.empty() || (!rule.facet && !rule.is_searchable)) return;
    auto& ids = rule.facet ? line.tags[static_cast<std::size_t>(*rule.facet)] : line.matching_words;
    ids.push_back(id);
  }

  void add_target(Line& line, const std::string& target) {
    const auto colon = target.find(':');
    const auto facet = target.substr(0, colon);
    const auto id = target.substr(colon + 1);
    if (facet == "tone") {
      tone_conflict_ = tone_conflict_ || (line.tone && *line.tone != id);
      line.tone = id;
    } else if (facet == "energy") {
      energy_conflict_ = energy_conflict_ || (line.energy && *line.energy != id);
      line.energy = id;
    } else {
      const auto* found = std::find(kFacetNames.begin(), kFacetNames.end(), facet);
      line.tags[static_cast<std::size_t>(found - kFacetNames.begin())].push_back(id);
    }
  }

  const Row& row_;
  const Mapping& mapping_;
  const InputRule& input_;
  Report& report_;
  bool tone_conflict_ = false;  // contradictory words ("dark" and "bright") set no tone
  bool energy_conflict_ = false;
};

}  // namespace

std::string id_from_key(std::string_view prefix, std::string_view key, Hashing& hashing) {
  const auto digest = hashing.sha256(key);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8U | digest[i];
  auto digits = std::to_string(value % 1'000'000'000'000'000U);
  digits.insert(0, 15 - digits.size(), '0');
  return std::string(prefix) + "-" + digits;
}

namespace {

/// Returns the id of the row; nullopt if it has no stable key or no number of the source.
std::optional<std::string> id_of(const std::string& key, const InputRule& input, Hashing& hashing) {
  boost::smatch match;
  if (key.empty() || (input.key_pattern && !boost::regex_search(key, match, *input.key_pattern))) return std::nullopt;
  if (!input.number) return id_from_key(input.id_prefix, input.key_pattern ? match[1].str() : key, hashing);
  const auto number = number_in(key, *input.number);
  return number ? std::optional(input.id_prefix + "-" + *number) : std::nullopt;
}

/// Runs a step; false if Boost.Regex gives up on a match.
template <class Step>
bool try_step(Step step) {
  try {
    step();
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

constexpr const char* kTooComplex = "a value is too complex for a pattern of the mapping";

/// Converts the row. A rejection also keeps its evidence about the recording.
std::variant<Line, Rejection> line_of(RowAdapter adapter, const std::string& id) {
  Line line;
  line.id = id;
  std::optional<Rejection> rejection;
  if (!try_step([&] { rejection = adapter.set_license(line); })) rejection = {Reason::license_unknown, kTooComplex, id};
  const bool has_urls = try_step([&] { adapter.set_urls(line); });
  const bool has_originals = try_step([&] { adapter.set_made_from(line); });
  const bool is_whole = try_step([&] { adapter.set_values(line); }) && has_urls && has_originals;
  if (!rejection && !is_whole) rejection = {Reason::row_broken, kTooComplex, id};
  if (!rejection) return line;
  rejection->license = line.license;
  rejection->evidence = evidence_of(line);
  return *rejection;
}

}  // namespace

std::variant<Line, Rejection> line_of_row(const Row& row, const Mapping& mapping, const InputRule& input,
                                          Hashing& hashing, Report& report) {
  if (row.broken) return Rejection{Reason::row_broken, *row.broken, {}};
  const auto& key = row.first(input.key);
  std::optional<std::string> id;
  if (!try_step([&] { id = id_of(key, input, hashing); })) return Rejection{Reason::row_broken, kTooComplex, {}};
  if (!id) {
    return Rejection{
        Reason::id_invalid, "the column " + input.key + " contains no stable key: " + text::quotable(key), {}};
  }
  return line_of(RowAdapter(row, mapping, input, report), *id);
}

}  // namespace tonearm::builder
