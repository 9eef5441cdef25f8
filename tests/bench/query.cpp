#include "query.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <fstream>
#include <stdexcept>

#include "tonearm/ascii.h"
#include "tonearm/license.h"

namespace tonearm::bench {
namespace {

constexpr std::string_view kNew = "{new}";
constexpr std::array<std::string_view, 7> kSortNames{"shuffle", "relevance", "quality", "short",
                                                     "long",    "slow",      "fast"};
constexpr std::array<std::string_view, 3> kCreditNames{"any", "optional", "requested"};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Value, std::size_t Count>
Value value_of(const std::array<std::string_view, Count>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("there is no " + std::string(name));
  return static_cast<Value>(found - names.begin());
}

template <class Value, std::size_t Count>
std::vector<Value> values_of(const std::array<std::string_view, Count>& names, const std::string& list) {
  std::vector<Value> values;
  for (const auto& name : split(list, ',')) values.push_back(value_of<Value>(names, name));
  return values;
}

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    throw std::runtime_error("no number: " + std::string(text));
  }
  return number;
}

LicenseId license_of(const std::string& name) {
  const auto found = find_license(name);
  if (!found) throw std::runtime_error("there is no license " + name);
  return *found;
}

Range tempo_of(const std::string& text) {
  constexpr std::uint64_t kHundredths = 100;
  const auto ends = split(text, '-');
  return {number_of(ends.at(0)) * kHundredths, number_of(ends.at(1)) * kHundredths};
}

/// Sets a filter parameter of a search; pages and orders are parsed elsewhere.
bool set_filter(SearchQuery& search, const std::string& name, const std::string& value) {
  const auto facet = std::find(kFacetNames.begin(), kFacetNames.end(), name);
  if (facet != kFacetNames.end()) {
    search.tags[static_cast<std::size_t>(facet - kFacetNames.begin())] = split(value, ',');
  } else if (name == "kind") {
    search.kind = value_of<Kind>(kKindNames, value);
  } else if (name == "tempo") {
    search.filters.bpm_hundredths = tempo_of(value);
  } else if (name == "length") {
    search.lengths = values_of<LengthBucket>(kLengthNames, value);
  } else if (name == "energy") {
    search.energies = values_of<Energy>(kEnergyNames, value);
  } else if (name == "tone") {
    search.tones = values_of<Tone>(kToneNames, value);
  } else if (name == "loops") {
    search.filters.loops_only = value == "true";
  } else if (name == "quality") {
    search.good_quality = value == "good";
  } else if (name == "category") {
    search.categories = split(value, ',');
  } else if (name == "credit") {
    search.filters.credit = value_of<CreditFilter>(kCreditNames, value);
  } else if (name == "license") {
    for (const auto& id : split(value, ',')) search.licenses.push_back(license_of(id));
  } else if (name == "commercial") {
    search.filters.commercial = value == "true";
  } else if (name == "share_alike") {
    search.share_alike = value == "true";
  } else if (name == "creator") {
    search.creator = ascii::to_lower(value);
  } else if (name == "source") {
    search.sources = split(value, ',');
  } else {
    return false;
  }
  return true;
}

/// Returns nothing if only the service supports the query.
std::optional<SearchQuery> parse_search(std::string_view query) {
  SearchQuery search;
  for (const auto& pair : split(query, '&')) {
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    const std::string name = pair.substr(0, equals);
    std::string value = pair.substr(equals + 1);
    std::replace(value.begin(), value.end(), '+', ' ');
    if (name == "seed" || name == "fields" || (name == "match" && value != "all")) return std::nullopt;
    if (name == "match") continue;
    if (name == "q") {
      search.q = value;
    } else if (name == "sort") {
      search.sort = value_of<Sort>(kSortNames, value);
    } else if (name == "limit") {
      search.limit = number_of(value);
    } else if (name == "cursor") {
      search.offset = number_of(value);
    } else if (!set_filter(search, name, value)) {
      throw std::runtime_error("there is no parameter " + name);
    }
  }
  return search;
}

std::string named(const Names& names, const std::string& placeholder) {
  const auto parts = split(placeholder, ':');
  const auto list = names.find(parts.at(0));
  if (list == names.end() || parts.size() != 2) throw std::runtime_error("there are no names {" + placeholder + "}");
  if (list->second.empty()) throw std::runtime_error("the catalog has nothing for {" + placeholder + "}");
  std::string name = list->second[(number_of(parts[1]) - 1) % list->second.size()];
  std::replace(name.begin(), name.end(), ' ', '+');
  return name;
}

std::string fill_in(std::string_view text, const Names& names) {
  std::string filled;
  while (true) {
    const auto begin = text.find('{');
    filled += text.substr(0, begin);
    if (begin == std::string_view::npos) return filled;
    const auto end = text.find('}', begin);
    if (end == std::string_view::npos) throw std::runtime_error("a { is not closed");
    const auto placeholder = text.substr(begin, end + 1 - begin);
    filled +=
        placeholder == kNew ? std::string(kNew) : named(names, std::string(text.substr(begin + 1, end - begin - 1)));
    text.remove_prefix(end + 1);
  }
}

Query parse_line(const std::string& line, const Names& names) {
  const auto object = boost::json::parse(line).as_object();
  const auto text = [&](std::string_view key, std::string_view otherwise) {
    const auto* value = object.if_contains({key.data(), key.size()});
    return value == nullptr ? std::string(otherwise) : boost::json::value_to<std::string>(*value);
  };
  constexpr std::string_view kSearch = "/v1/search";
  Query query;
  query.query_class = text("class", "");
  const std::string path = fill_in(text("path", kSearch), names);
  const std::string parameters = fill_in(text("query", ""), names);
  query.target = parameters.empty() ? path : path + '?' + parameters;
  if (path != kSearch) return query;
  query.search = parse_search(parameters);
  if (has_words(query) && query.target.find("match=") == std::string::npos) query.target += "&match=all";
  return query;
}

}  // namespace

SearchQuery parse_target(std::string_view target) {
  const auto mark = target.find('?');
  const auto search = parse_search(mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1));
  if (!search) throw std::runtime_error("no peer can answer " + std::string(target));
  return *search;
}

bool in_mix(const Query& query) { return std::find(kMix.begin(), kMix.end(), query.query_class) != kMix.end(); }

bool has_words(const Query& query) { return query.search && !query.search->q.empty(); }

std::vector<Query> read_queries(const std::string& path, const Names& names) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::vector<Query> queries;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    try {
      queries.push_back(parse_line(line, names));
    } catch (const std::exception& failure) {
      throw std::runtime_error(path + ':' + std::to_string(number) + ": " + failure.what());
    }
  }
  // Adds the cost of match=most and auto for the same queries.
  const std::size_t count = queries.size();
  const auto matched_by = [](std::string target, std::string_view match) {
    constexpr std::string_view kAll = "&match=all";
    const auto all = target.find(kAll);
    if (all != std::string::npos) target.erase(all, kAll.size());
    return target.append("&match=").append(match);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (in_mix(queries[i])) queries.push_back({std::string(kMixOfMost), matched_by(queries[i].target, "most"), {}});
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (in_mix(queries[i]) && has_words(queries[i])) {
      queries.push_back({std::string(kMixOfAuto), matched_by(queries[i].target, "auto"), {}});
    }
  }
  // Adds the cost of three facets, one with many values and one with as many values as there are artists.
  for (std::size_t i = 0; i < count; ++i) {
    if (!in_mix(queries[i])) continue;
    const bool of_effects = queries[i].target.find("kind=sfx") != std::string::npos;
    queries.push_back({std::string(kMixOfFacets),
                       queries[i].target + "&facets=license,creator," + (of_effects ? "sfx" : "genre"),
                       {}});
  }
  return queries;
}

std::string target_of(const Query& query, std::uint64_t call) {
  std::string target = query.target;
  const auto place = target.find(kNew);
  if (place != std::string::npos) target.replace(place, kNew.size(), std::to_string(call));
  return target;
}

}  // namespace tonearm::bench
