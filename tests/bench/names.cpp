#include "names.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tonearm/ascii.h"

namespace tonearm::bench {
namespace {

constexpr std::size_t kCommonWords = 12;
constexpr std::size_t kWordsOfClass = 40;
constexpr std::size_t kTags = 20;
constexpr std::size_t kCreators = 20;
constexpr std::size_t kIds = 20;

struct Counted {
  std::uint32_t count;
  std::string name;
};

/// Returns the most frequent first. Ties are ordered by the reversed names, so that neighbors in the list start
/// differently.
std::vector<Counted> ranked(const std::unordered_map<std::string, std::uint32_t>& counts) {
  std::vector<Counted> list;
  list.reserve(counts.size());
  for (const auto& [name, count] : counts) list.push_back({count, name});
  std::sort(list.begin(), list.end(), [](const Counted& a, const Counted& b) {
    if (a.count != b.count) return a.count > b.count;
    return std::lexicographical_compare(a.name.rbegin(), a.name.rend(), b.name.rbegin(), b.name.rend());
  });
  return list;
}

std::vector<std::string> first_of(const std::vector<Counted>& list, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, list.size()); ++i) names.push_back(list[i].name);
  return names;
}

/// Returns distinct names whose counts fall from `most` to `least` in equal ratios, as closely as the list allows.
std::vector<std::string> spread(const std::vector<Counted>& list, double most, double least, std::size_t count) {
  std::vector<std::string> names;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = most * std::pow(least / most, static_cast<double>(i) / static_cast<double>(count - 1));
    while (next + 1 < list.size() && list[next].count > std::max(wanted, 1.0)) ++next;
    if (next < list.size()) names.push_back(list[next++].name);
  }
  return names;
}

void append_lower(std::string& to, std::string_view text) {
  for (const char c : text) {
    to += ascii::is_letter(c) ? ascii::to_lower(c) : ' ';
  }
  to += ' ';
}

}  // namespace

void NamesBuilder::add(const Track& track) {
  if (track.taken_down) return;
  ++tracks_;
  count_words(track);
  if (!track.artist.empty()) ++artists_[track.artist];
  ++sources_[track.source];
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& tag : track.tags[facet]) ++tags_[facet][tag];
  }
  auto& ids = ids_[static_cast<std::size_t>(track.kind)];
  if (ids.size() < kIds && !track.neighbors.empty()) ids.push_back(track.id);
}

// Labels of categories are skipped: they contain English words, which a stemmer may change.
void NamesBuilder::count_words(const Track& track) {
  text_.clear();
  for (const auto& text : {track.title, track.artist, track.description}) append_lower(text_, text);
  for (const auto& tags : track.tags) {
    for (const auto& tag : tags) append_lower(text_, tag);
  }
  std::vector<std::string_view> words;
  const std::string_view text = text_;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find(' ', begin);
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (const auto word : words) ++words_[std::string(word)];
}

Names NamesBuilder::finish() const {
  const double tracks = tracks_;
  const auto words = ranked(words_);
  Names names;
  names["common"] = first_of(words, kCommonWords);
  names["middling"] = spread(words, tracks / 20, tracks / 500, kWordsOfClass);
  names["rare"] = spread(words, tracks / 1'000, tracks / 20'000, kWordsOfClass);
  const auto artists = ranked(artists_);
  names["creator"] = artists.empty() ? std::vector<std::string>() : spread(artists, artists[0].count, 2, kCreators);
  names["source"] = first_of(ranked(sources_), sources_.size());
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    names[std::string(kFacetNames[facet])] = first_of(ranked(tags_[facet]), kTags);
  }
  names["music_id"] = ids_[0];
  names["effect_id"] = ids_[1];
  return names;
}

void write_names(const std::string& path, const Names& names) {
  std::ofstream file(path, std::ios::binary);
  file << boost::json::serialize(boost::json::value_from(names)) << '\n';
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

Names read_names(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  boost::json::error_code error;
  const auto value = boost::json::parse(text, error);
  if (error) throw std::runtime_error(path + " cannot be read");
  return boost::json::value_to<Names>(value);
}

}  // namespace tonearm::bench
