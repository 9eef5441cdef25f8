// Credits of arbitrary texts: each format must be read by its own parser, with an entry for each track.

#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <array>

#include "domain/credits.h"
#include "input/rows.h"
#include "table/credits_files.h"
#include "target.h"
#include "text/unicode.h"

namespace tonearm::fuzz {
namespace {

/// Separates the texts of an input; no UTF-8 contains it.
constexpr char kSeparator = '\xff';

std::string next_text(std::string_view& input) {
  const auto end = std::min(input.find(kSeparator), input.size());
  auto text = text::valid_utf8(input.substr(0, end));
  input.remove_prefix(std::min(end + 1, input.size()));
  return text;
}

CreditEntry next_entry(std::string_view& input, std::uint32_t position) {
  CreditEntry entry;
  const unsigned choice = take_byte(input);
  entry.position = position;
  entry.license = static_cast<LicenseId>(choice % kLicenseCount);
  entry.attribution = static_cast<Attribution>(choice % 3);
  entry.license_changed = (choice & 1U) != 0;
  entry.non_commercial = (choice & 2U) != 0;
  entry.modifications.chips.at(0) = (choice & 4U) != 0;
  entry.track_id = "t-" + std::to_string(position);
  for (auto* text :
       {&entry.title, &entry.artist, &entry.credit_as, &entry.source_page, &entry.note, &entry.modifications.text}) {
    *text = next_text(input);
  }
  return entry;
}

std::vector<CreditEntry> entries_of(std::string_view input) {
  constexpr std::size_t kEntriesMax = 8;
  std::vector<CreditEntry> entries;
  while (!input.empty() && entries.size() < kEntriesMax)
    entries.push_back(next_entry(input, static_cast<std::uint32_t>(entries.size())));
  sort_credits(entries);
  return entries;
}

void check_csv(const std::string& csv, std::size_t entries) {
  builder::RowLayout layout;
  const auto rows = builder::open_rows(layout, write_scratch("credits.csv", csv));
  builder::Row row;
  std::size_t count = 0;
  for (; rows->next(row); ++count) {
    require(!row.broken, "a row of the CSV credits is broken");
    for (const auto& [column, values] : row.cells) {
      for (const auto& value : values) {
        require(value.empty() || std::string_view("=+-@\t\r").find(value.front()) == std::string_view::npos,
                "a cell of the CSV credits is a formula");
      }
    }
  }
  require(count == entries, "the CSV credits have another number of rows");
}

void check_yaml(const std::string& yaml, std::size_t entries) {
  const auto list = YAML::Load(yaml);
  require(list.size() == entries, "the YAML credits have another number of entries");
  for (const auto& entry : list) {
    require(entry.IsMap(), "an entry of the YAML credits is not a mapping");
    for (const auto& field : entry)
      require(field.second.IsScalar() || field.second.IsNull(), "a field of the YAML credits is not a scalar");
  }
}

void check_toml(const std::string& text, std::size_t entries) {
  const auto table = toml::parse(text);
  require(table.size() <= 2, "the TOML credits have other keys");
  const auto* list = table["annotations"].as_array();
  require((list == nullptr ? 0 : list->size()) == entries, "the TOML credits have another number of entries");
}

/// Every tag of the HTML is one that the writer writes.
void check_html(std::string_view html) {
  constexpr std::array<std::string_view, 10> kTags{"<h2>",  "</h2>", "<ul>", "</ul>", "<li>",
                                                   "</li>", "<p>",   "</p>", "</a>",  "<a href=\"http"};
  for (auto at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    const auto rest = html.substr(at);
    require(std::any_of(kTags.begin(), kTags.end(),
                        [&](std::string_view tag) { return rest.substr(0, tag.size()) == tag; }),
            "the HTML credits have another tag");
  }
}

void check_plain(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    require(c == '\n' || (!text::is_control(c) && !text::is_bidi_override(c)),
            "the text credits have a control character");
  }
}

/// A heading and an entry, whose texts are all the same.
std::vector<std::string> credits_seeds() {
  std::vector<std::string> seeds;
  for (const auto& text : hostile_texts()) {
    std::string seed = text + kSeparator + static_cast<char>(seeds.size());
    for (int field = 0; field < 6; ++field) seed += text + kSeparator;
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

void run_credits(std::string_view input) {
  const std::string heading = next_text(input);
  const auto entries = entries_of(input);
  for (const auto& file : table::kCreditsFiles) {
    const auto written = file.write(entries, {heading});
    require(text::is_utf8(written), "credits are not UTF-8");
    if (file.format == "csv") check_csv(written, entries.size());
    if (file.format == "attributions") check_yaml(written, entries.size());
    if (file.format == "reuse") check_toml(written, entries.size());
    if (file.format == "html") check_html(written);
    if (file.format == "text" || file.format == "youtube" || file.format == "markdown") check_plain(written);
  }
}

}  // namespace

const Target kCredits{"credits", credits_seeds, run_credits};

}  // namespace tonearm::fuzz
