#include "catalog/writer/posting_list_builder.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/index/hash.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

/// A term whose posting list has been written.
struct WrittenTerm {
  std::uint64_t hash = 0;
  std::string_view key;
  TermIndex::Entry entry;  // without its key
};

/// Returns nothing if no track has the term. REQUIRES: the terms are sorted by key.
std::optional<PostingLocation> location_of(const std::string& key, std::span<const WrittenTerm> written_terms) {
  const auto found = std::lower_bound(written_terms.begin(), written_terms.end(), key,
                                      [](const WrittenTerm& term, const std::string& text) { return term.key < text; });
  if (found == written_terms.end() || found->key != key) return std::nullopt;
  return PostingLocation{found->entry.posting_list, found->entry.counts, 0};
}

/// REQUIRES: the terms are sorted by key and contain each of the tags.
std::string encode_tag_terms(std::span<const WrittenTerm> written_terms, std::span<const std::string> tags) {
  std::vector<PostingLocation> locations;
  locations.reserve(tags.size());
  for (const std::string& tag : tags) locations.push_back(location_of(tag, written_terms).value());
  return std::string(raw_bytes(locations));
}

/// REQUIRES: the terms are sorted by hash, then by key.
std::string encode_terms(std::span<const WrittenTerm> written_terms) {
  std::vector<std::uint64_t> hashes;
  std::vector<TermIndex::Entry> entries;
  std::string keys;
  hashes.reserve(written_terms.size());
  entries.reserve(written_terms.size());
  for (const WrittenTerm& term : written_terms) {
    TermIndex::Entry entry = term.entry;
    if (entry.has_key()) {
      std::copy(term.key.begin(), term.key.end(), entry.key.begin());
    } else {
      entry.key_offset = static_cast<std::uint32_t>(keys.size());
      keys += term.key;
    }
    hashes.push_back(hash64(term.key));
    entries.push_back(entry);
  }
  const std::vector<std::uint32_t> slots = make_slots(hashes);
  const std::array<std::uint32_t, 2> sizes{static_cast<std::uint32_t>(slots.size()),
                                           static_cast<std::uint32_t>(entries.size())};
  std::string terms(raw_bytes(sizes));
  const auto samples =
      SparseIndex::sample(entries.size(), TermIndex::kSparseStep, [&](std::size_t i) { return entries[i].hash_high; });
  terms.append(raw_bytes(samples));
  return terms.append(raw_bytes(slots)).append(raw_bytes(entries)).append(keys);
}

/// Returns the keys of a track's facets. A key may be repeated.
std::vector<std::string> facet_keys(const Track& track) {
  std::vector<std::string> keys;
  const auto add = [&](std::string_view facet, std::string_view value) { keys.push_back(facet_key(facet, value)); };
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& tag : track.tags[facet]) add(kFacetNames[facet], tag);
  }
  add(kLengthFacet, kLengthNames[static_cast<std::size_t>(length_bucket(track.kind, track.duration_ms))]);
  if (track.energy) add(kEnergyFacet, kEnergyNames[static_cast<std::size_t>(*track.energy)]);
  if (track.tone) add(kToneFacet, kToneNames[static_cast<std::size_t>(*track.tone)]);
  if (track.loop) add(kLoopFacet, kYes);
  if (track.quality >= kGoodQuality) add(kQualityFacet, kYes);
  add(kLicenseFacet, license(track.license).name_id);
  add(kAttributionFacet, to_string(attribution(track.license, track.credit_requested)));
  if (track.category) add(kCategoryFacet, kCategories[*track.category].id);
  if (!track.artist.empty()) add(kCreatorFacet, text::fold_case(track.artist));
  add(kSourceFacet, text::fold_case(track.source));
  if (track.vocals) add(kVocalsFacet, kVocalsNames.at(static_cast<std::size_t>(*track.vocals)));
  if (!track.preview_url.empty() || !track.original_url.empty()) add(kPlayableFacet, kYes);
  return keys;
}

}  // namespace

void PostingListBuilder::Collected::append(std::uint8_t byte) {
  // Grows by less than twice: most memory of the writer is here.
  if (bytes_.size() == bytes_.capacity()) bytes_.reserve(bytes_.size() + bytes_.size() / 4 + 8);
  bytes_.push_back(byte);
}

void PostingListBuilder::Collected::add(std::uint32_t position) {
  std::uint32_t distance = position - last_;
  for (; distance >= 0x80U; distance >>= 7U) append(static_cast<std::uint8_t>(distance | 0x80U));
  append(static_cast<std::uint8_t>(distance));
  last_ = position;
  ++count_;
}

void PostingListBuilder::Collected::add(std::uint32_t position, std::uint8_t impact) {
  add(position);
  append(impact);
}

void PostingListBuilder::Collected::read(bool has_impacts, std::vector<std::uint32_t>& positions,
                                         std::vector<std::uint8_t>& impacts) const {
  positions.clear();
  impacts.clear();
  std::uint32_t position = 0;
  for (std::size_t at = 0; at < bytes_.size();) {
    std::uint32_t distance = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint32_t byte = bytes_[at++];
      distance |= (byte & 0x7fU) << shift;
      if (byte < 0x80U) break;
    }
    position += distance;
    positions.push_back(position);
    if (has_impacts) impacts.push_back(bytes_[at++]);
  }
}

void PostingListBuilder::add(std::uint32_t position, const Track& track,
                             const std::unordered_map<std::string, FieldCounts>& words, const AverageLengths& average) {
  std::vector<std::string> keys = facet_keys(track);
  const std::size_t facets = keys.size();
  std::vector<std::uint8_t> impacts;
  for (const auto& [word, counts] : words) {
    keys.push_back(text_key(word));
    impacts.push_back(impact(counts, average, track.quality));
  }
  const std::vector<Collected*> terms = terms_.find_or_insert(keys);
  for (const Collected* term : terms) term->prefetch_end();
  for (std::size_t i = 0; i < facets; ++i) {
    if (!terms[i]->ends_with(position)) terms[i]->add(position);
  }
  for (std::size_t i = 0; i < impacts.size(); ++i) terms[facets + i]->add(position, impacts[i]);
}

PostingListBuilder::Written PostingListBuilder::write(SectionWriter& sections, const Layout& layout,
                                                      std::span<const std::uint32_t> tie_rank, const Keys& keys,
                                                      const std::function<void()>& on_list) const {
  // Aligns bitmaps to cache lines.
  constexpr std::uint64_t kAlignment = 64;
  std::vector<std::pair<std::string_view, const Collected*>> sorted;
  sorted.reserve(terms_.size());
  terms_.each([&](const auto& term) { sorted.emplace_back(term.text, &term.value); });
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<WrittenTerm> written_terms;
  written_terms.reserve(sorted.size());
  std::uint64_t written = 0;
  sections.begin(SectionId::postings);
  std::vector<std::uint32_t> positions;
  std::vector<std::uint8_t> impacts;
  for (const auto& [key, term] : sorted) {
    const bool is_text = is_text_key(key);
    term->read(is_text, positions, impacts);
    const std::uint64_t alignment = is_dense(term->count(), layout.size) ? kAlignment : sizeof(std::uint32_t);
    const auto counts = count_partitions(positions, layout);
    const std::uint64_t best = best_size(counts, is_text ? PostingKind::text : PostingKind::facet, layout.size);
    const std::string posting_list = encode_posting_list(positions, impacts, layout, tie_rank);
    std::uint64_t begin = (written + best + alignment - 1) / alignment * alignment;
    const std::uint64_t size = posting_list.size() - best;
    // Avoids an extra block boundary.
    if ((begin + size - 1) / kBlockBytes - begin / kBlockBytes > (size - 1) / kBlockBytes) {
      begin = (begin + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    }
    const std::string bytes = std::string(static_cast<std::size_t>(begin - best - written), '\0') + posting_list;
    sections.append(bytes);
    written += bytes.size();
    const std::uint64_t hash = term_hash(key);
    written_terms.push_back(
        {hash, key, {begin, 0, static_cast<std::uint32_t>(key.size()), counts, upper_half(hash), {}}});
    on_list();
  }
  Written result{{}, encode_tag_terms(written_terms, keys.tags), {}};
  for (const std::string& key : keys.wanted) {
    if (const auto location = location_of(key, written_terms)) result.locations.emplace(key, *location);
  }
  std::stable_sort(written_terms.begin(), written_terms.end(),
                   [](const WrittenTerm& a, const WrittenTerm& b) { return a.hash < b.hash; });
  result.terms = encode_terms(written_terms);
  return result;
}

}  // namespace tonearm::catalog
