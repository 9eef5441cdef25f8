#include "adapter.h"

#include <algorithm>
#include <filesystem>

#include "decimal.h"
#include "failure.h"
#include "text/unicode.h"
#include "text_repair.h"
#include "web_address.h"

namespace tonearm::builder {
namespace {

/// One row on its way, with what counts its repairs.
class RowAdapter {
 public:
  RowAdapter(const Row& row, const Mapping& mapping, const InputRule& input, Report& report)
      : row_(row), mapping_(mapping), input_(input), report_(report) {}

  Line line(std::string id) {
    Line line;
    line.id = std::move(id);
    line.kind = kKindNames[static_cast<std::size_t>(mapping_.kind)];
    line.source = mapping_.domain;
    line.title = one_line("title");
    line.artist = one_line("artist").value_or("");
    line.description = clean_lines(repaired("description").value_or(""));
    line.duration_s = value("duration_s");
    line.bpm = value("bpm");
    line.category = value("category");
    line.energy = value("energy");
    line.tone = value("tone");
    line.quality = value("quality");
    line.source_page = value("source_page");
    line.preview_url = value("preview_url");
    line.original_url = value("original_url");
    take_tags(line);
    return line;
  }

  /// Why the license keeps the row out; nothing where it does not.
  std::optional<Fault> take_license(Line& line) {
    if (states_several_licenses()) {
      return Fault{Reason::license_ambiguous, "the row, with what it is joined to, states several licenses", line.id};
    }
    const auto stated = value("license");
    if (!stated) return std::nullopt;  // C10.2: check.h leaves it out, or marks it under evaluation
    for (const auto& rule : mapping_.licenses) {
      if (!boost::regex_search(*stated, rule.match)) continue;
      if (rule.id.empty()) {
        return Fault{Reason::license_not_offered, rule.left_out + ": " + text::quotable(*stated), line.id};
      }
      line.license = rule.id;
      return std::nullopt;
    }
    return Fault{Reason::license_unknown, "no rule knows the license " + text::quotable(*stated), line.id};
  }

 private:
  /// C10.2: of several statements none is taken for the license.
  bool states_several_licenses() const {
    return std::any_of(input_.license_columns.begin(), input_.license_columns.end(),
                       [&](const std::string& column) { return row_.all(column).size() > 1; });
  }

  void count_repair(const std::string& what) { ++report_.repairs[mapping_.name + ": " + what]; }

  std::optional<std::string> raw(const FieldRule& rule) const {
    if (rule.constant) return rule.constant;
    if (rule.text_template.empty()) {
      const auto& text = row_.first(rule.column);
      return text.empty() ? std::nullopt : std::optional(text);
    }
    std::string out;
    const std::string_view form = rule.text_template;
    for (std::size_t at = 0; at < form.size();) {
      const auto open = std::min(form.find('{', at), form.size());
      out += form.substr(at, open - at);
      const auto close = form.find('}', open);
      if (open == form.size() || close == std::string_view::npos) break;
      const auto& text = row_.first(form.substr(open + 1, close - open - 1));
      if (text.empty()) return std::nullopt;
      out += encode_segment(text);
      at = close + 1;
    }
    return out;
  }

  std::optional<std::string> in_form(const std::string& key, const FieldRule& rule, std::string text) {
    if (rule.form == FieldRule::Form::text) return text;
    auto number = rule.form == FieldRule::Form::clock ? clock_seconds(text) : std::optional(text);
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
    const auto& rule = found->second;
    auto text = raw(rule);
    if (!text) return std::nullopt;
    for (const auto& pattern : rule.remove) *text = boost::regex_replace(*text, pattern, std::string());
    if (rule.pattern) {
      boost::smatch match;
      if (!boost::regex_search(*text, match, *rule.pattern)) return std::nullopt;
      *text = std::string(match.size() > 1 && match[1].matched ? match[1] : match[0]);
    }
    if (!rule.values.empty()) {
      const auto listed = rule.values.find(*text);
      if (listed == rule.values.end()) return std::nullopt;
      *text = listed->second;
    }
    if (text->empty()) return std::nullopt;
    return in_form(key, rule, std::move(*text));
  }

  std::optional<std::string> repaired(const std::string& key) {
    auto text = value(key);
    if (!text || !text::is_utf8(*text)) return text;
    if (!mapping_.undo_double_encoding) return text;
    auto decoded = undo_double_encoding(*text);
    if (decoded != *text) count_repair("double-encoded " + key + " repaired");
    return decoded;
  }

  std::optional<std::string> one_line(const std::string& key) {
    auto text = repaired(key);
    if (!text || !text::is_utf8(*text)) return text;
    return text::one_line(*text);
  }

  std::vector<std::string> words(const TagRule& rule) const {
    std::vector<std::string> result;
    for (const auto& text : row_.all(rule.column)) {
      if (!text::is_utf8(text)) continue;
      if (!rule.split) {
        result.push_back(text);
        continue;
      }
      boost::sregex_token_iterator token(text.begin(), text.end(), *rule.split, -1);
      for (; token != boost::sregex_token_iterator(); ++token) result.push_back(token->str());
    }
    return result;
  }

  /// The word without what stuck to it: commas, full stops, white space, a second copy of itself.
  std::string tidied(const std::string& word) {
    const auto first = word.find_first_not_of(" \t\r\n,;.");
    if (first == std::string::npos) return {};
    const auto last = word.find_last_not_of(" \t\r\n,;.");
    const auto whole = std::string_view(word).substr(first, last - first + 1);
    const auto single = undo_doubling(whole);
    if (single.size() != whole.size()) count_repair("doubled word repaired");
    return std::string(single);
  }

  void take_tags(Line& line) {
    static const Vocabulary kNone;
    for (const auto& rule : input_.tags) {
      const auto& vocabulary = rule.vocabulary.empty() ? kNone : mapping_.vocabularies.at(rule.vocabulary);
      for (const auto& word : words(rule)) {
        const auto tidy = tidied(word);
        if (tidy.empty()) continue;
        if (const auto listed = vocabulary.find(text::fold_case(tidy)); listed != vocabulary.end()) {
          for (const auto& target : listed->second) take_target(line, target);
        } else {
          take_unlisted(line, rule, tidy);
        }
      }
    }
    if (tone_conflict_) line.tone.reset();
    if (energy_conflict_) line.energy.reset();
  }

  void take_unlisted(Line& line, const TagRule& rule, const std::string& word) {
    if (!rule.vocabulary.empty()) ++report_.unlisted_values[mapping_.name + ": " + rule.column + ": " + word];
    const auto id = tag_from(word);
    if (rule.facet && !id.empty()) line.tags[static_cast<std::size_t>(*rule.facet)].push_back(id);
  }

  void take_target(Line& line, const std::string& target) {
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
  bool tone_conflict_ = false;  // words that say "dark" and "bright" say nothing together
  bool energy_conflict_ = false;
};

/// Where the file lies, with the ending it has there.
std::string locate(const std::string& folder, const std::string& file) {
  const auto path = std::filesystem::path(folder) / file;
  for (const auto* ending : {"", ".gz", ".zst"}) {
    auto candidate = path.string() + ending;
    if (std::filesystem::exists(candidate)) return candidate;
  }
  throw Failure(path.string() + ": cannot be opened: there is no such file (nor with .gz or .zst)");
}

/// A file to be joined, by the value of its column.
class JoinedFile {
 public:
  JoinedFile(const JoinRule& rule, const std::string& folder, const std::vector<std::string>& license_columns,
             Report& report)
      : rule_(rule) {
    const auto path = locate(folder, rule.file.file);
    const auto rows = open_rows(rule.file.format, path, rule.file.table);
    for (Row row; rows->next(row);) {
      if (row.broken) {
        report.left_out(path, row.number, {Reason::row_broken, *row.broken, {}});
        continue;
      }
      auto key = row.first(rule.to);
      if (key.empty()) continue;  // nothing to be found by
      if (const auto first = by_key_.find(key); first != by_key_.end()) {
        keep_disagreement(first->second, row, license_columns);
      } else {
        by_key_.emplace(std::move(key), std::move(row));
      }
    }
  }

  void join(Row& row) const {
    const auto found = by_key_.find(row.first(rule_.on));
    if (found == by_key_.end()) return;
    for (const auto& [column, values] : found->second.cells) row.cells[rule_.prefix + column] = values;
  }

 private:
  /// The first row of a key stays. C10.2: where another disagrees on what the license depends on, both say so, and
  /// who is joined to them states several licenses.
  void keep_disagreement(Row& first, const Row& other, const std::vector<std::string>& license_columns) const {
    for (const auto& column : license_columns) {
      if (!column.starts_with(rule_.prefix)) continue;
      const auto name = column.substr(rule_.prefix.size());
      if (first.all(name) != other.all(name)) first.cells[name] = {first.first(name), other.first(name)};
    }
  }

  const JoinRule& rule_;
  std::map<std::string, Row, std::less<>> by_key_;
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

std::variant<Line, Fault> line_of_row(const Row& row, const Mapping& mapping, const InputRule& input, Hashing& hashing,
                                      Report& report) {
  if (row.broken) return Fault{Reason::row_broken, *row.broken, {}};
  const auto& key = row.first(input.key);
  if (key.empty())
    return Fault{Reason::id_invalid, "the column " + input.key + " is empty: there is no stable key", {}};
  auto id = id_from_key(mapping.id_prefix, key, hashing);
  try {
    RowAdapter adapter(row, mapping, input, report);
    auto line = adapter.line(id);
    if (auto fault = adapter.take_license(line)) return std::move(*fault);
    return line;
  } catch (const std::runtime_error&) {  // what Boost.Regex throws when it gives up on a match
    return Fault{Reason::row_broken, "a text is too intricate for a pattern of the mapping", std::move(id)};
  }
}

std::vector<std::string> source_files(const Mapping& mapping, const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& input : mapping.inputs) {
    files.push_back(locate(folder, input.file.file));
    for (const auto& join : input.joins) files.push_back(locate(folder, join.file.file));
  }
  return files;
}

void read_source(const Mapping& mapping, const std::string& folder, Hashing& hashing, Report& report,
                 const std::function<void(std::uint64_t number, std::variant<Line, Fault> line)>& take) {
  for (const auto& input : mapping.inputs) {
    const auto path = locate(folder, input.file.file);
    report.begin_input(path);
    std::vector<JoinedFile> joined;
    joined.reserve(input.joins.size());
    for (const auto& rule : input.joins) joined.emplace_back(rule, folder, input.license_columns, report);
    const auto rows = open_rows(input.file.format, path, input.file.table);
    for (Row row; rows->next(row);) {
      for (const auto& file : joined) file.join(row);
      take(row.number, line_of_row(row, mapping, input, hashing, report));
    }
  }
}

}  // namespace tonearm::builder
