#include "catalog/writer/listing_builder.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "catalog/index/facets.h"
#include "catalog/index/listing.h"
#include "catalog/storage/statement.h"
#include "catalog/writer/track_terms.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

struct Listed {
  std::string id;
  std::string label;
  std::uint64_t count = 0;
};

class ListWriter {
 public:
  explicit ListWriter(sqlite3* database)
      : insert_(database, "INSERT INTO listing (list, place, id, label, count) VALUES (?1, ?2, ?3, ?4, ?5)") {}

  void write(std::string_view list, const std::vector<Listed>& values) {
    std::int64_t place = 0;
    for (const Listed& value : values) {
      insert_.bind_text(1, list);
      insert_.bind_integer(2, place++);
      insert_.bind_text(3, value.id);
      insert_.bind_text(4, value.label);
      insert_.bind_integer(5, static_cast<std::int64_t>(value.count));
      insert_.run();
    }
  }

 private:
  Statement insert_;
};

// Returns the values that are set in `has`, in the order of their declaration.
template <std::size_t Count, class Describe>
std::vector<Listed> present(const std::array<bool, Count>& has, const Describe& describe) {
  std::vector<Listed> values;
  for (std::size_t i = 0; i < Count; ++i) {
    if (has[i]) values.push_back(describe(i));
  }
  return values;
}

// META-2: sorts facet values by label.
std::vector<Listed> by_label(const std::set<std::string>& tags, const TagLabels& labels, Facet facet) {
  std::vector<Listed> values;
  values.reserve(tags.size());
  for (const auto& tag : tags) values.push_back({tag, tag_label(labels, facet, tag), 0});
  std::sort(values.begin(), values.end(),
            [](const Listed& a, const Listed& b) { return std::tie(a.label, a.id) < std::tie(b.label, b.id); });
  return values;
}

// META-2: sorts by track count, descending, then by name.
std::vector<Listed> by_count(std::vector<Listed> values) {
  std::sort(values.begin(), values.end(), [](const Listed& a, const Listed& b) {
    return std::tie(b.count, a.label, a.id) < std::tie(a.count, b.label, b.id);
  });
  return values;
}

}  // namespace

void ListingBuilder::add(const Track& track) {
  const auto kind = static_cast<std::size_t>(track.kind);
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    if (is_listed(track.kind, static_cast<Facet>(facet))) {
      tags_[kind][facet].insert(track.tags[facet].begin(), track.tags[facet].end());
    }
  }
  if (track.kind == Kind::music) {
    if (track.energy) energies_[static_cast<std::size_t>(*track.energy)] = true;
    if (track.tone) tones_[static_cast<std::size_t>(*track.tone)] = true;
  } else if (track.category) {
    categories_[*track.category] = true;
  }
  licenses_[static_cast<std::size_t>(track.license)] = true;
  ++sources_[text::fold_case(track.source)];
  if (!track.artist.empty()) ++creators_[text::fold_case(track.artist)][track.artist];
}

void ListingBuilder::write(sqlite3* database, const SnapshotOptions& options) const {
  ListWriter writer(database);
  for (std::size_t kind = 0; kind < tags_.size(); ++kind) {
    for (std::size_t i = 0; i < kFacetCount; ++i) {
      const auto facet = static_cast<Facet>(i);
      writer.write(tag_list(static_cast<Kind>(kind), facet), by_label(tags_[kind][i], options.tag_labels, facet));
    }
  }
  const auto named = [](std::string_view name) { return Listed{std::string(name), std::string(name), 0}; };
  writer.write(kEnergyList, present(energies_, [&](std::size_t i) { return named(kEnergyNames[i]); }));
  writer.write(kToneList, present(tones_, [&](std::size_t i) { return named(kToneNames[i]); }));
  writer.write(kCategoryList, present(categories_, [](std::size_t i) {
                 return Listed{std::string(kCategories[i].id), std::string(kCategories[i].label), 0};
               }));
  auto licenses = present(licenses_, [](std::size_t i) {
    return Listed{std::string(kLicenses[i].name_id), std::string(kLicenses[i].name), 0};
  });
  // Searches cannot select `unknown`, so it is in no list (BUILD-3).
  if (licenses_.back()) licenses.pop_back();
  writer.write(kLicenseList, licenses);
  std::vector<Listed> sources;
  for (const auto& [domain, count] : sources_) {
    const auto name = options.source_names.find(domain);
    sources.push_back({domain, name == options.source_names.end() ? domain : name->second, count});
  }
  writer.write(kSourceList, by_count(std::move(sources)));
}

ListingBuilder::Creators ListingBuilder::creators() const {
  std::vector<Listed> creators;
  for (const auto& [folded, spellings] : creators_) {
    Listed creator{folded, {}, 0};
    std::uint64_t commonest = 0;
    // META-4: spellings are sorted by bytes, so the first of equally frequent ones wins.
    for (const auto& [spelling, count] : spellings) {
      creator.count += count;
      if (count <= commonest) continue;
      commonest = count;
      creator.label = spelling;
    }
    creators.push_back(std::move(creator));
  }
  std::map<std::string_view, std::pair<std::string_view, std::uint64_t>> by_name;  // folded name and offset
  creators = by_count(std::move(creators));
  Creators result;
  for (const Listed& creator : creators) {
    by_name.emplace(creator.label, std::pair(std::string_view(creator.id), result.section.size()));
    result.section += encode_creator({creator.label, creator.count}, creator.id);
  }
  if (result.section.size() > ~std::uint32_t{0}) throw Failure("the artists take more than 4 GiB");
  for (const auto& [name, creator] : by_name) {
    result.number.emplace(creator.first, static_cast<std::uint32_t>(result.starts.size()));
    result.starts.push_back(static_cast<std::uint32_t>(creator.second));
  }
  return result;
}

}  // namespace tonearm::catalog
