#include "snapshot_file.h"

#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>
#include <tuple>

#include "input/thesaurus.h"
#include "names.h"
#include "snapshot/snapshot_on_disk.h"
#include "system/system_ports.h"
#include "tonearm/ascii.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::bench {
namespace {

template <class Visit>
void each_sample(const Generator& generator, Visit visit) {
  constexpr std::uint32_t kSamples = 500;
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    visit(generator.track(static_cast<std::uint32_t>(std::uint64_t{i} * generator.size() / kSamples)));
  }
}

std::string text_of(const Track& track) {
  const auto number = [](auto value) { return static_cast<std::int64_t>(value); };
  const auto or_none = [](const auto& value) { return value ? static_cast<std::int64_t>(*value) : -1; };
  const boost::json::value all{
      track.id,
      number(track.kind),
      track.title,
      track.artist,
      track.description,
      track.duration_ms,
      track.bpm_hundredths,
      boost::json::value_from(track.tags),
      or_none(track.category),
      or_none(track.energy),
      or_none(track.tone),
      track.loop,
      track.quality,
      number(track.license),
      number(track.license_status),
      track.credit_requested,
      track.source,
      track.source_page,
      track.preview_url,
      track.original_url,
      track.peaks_url,
      track.taken_down,
      boost::json::value_from(track.neighbors),
  };
  return boost::json::serialize(all);
}

std::string hex_hash(const std::string& text) {
  native::OpensslHashing hashing;
  return ascii::to_hex(hashing.sha256(text));
}

std::set<std::string> words_of(const std::vector<std::vector<std::string>>& synonyms) {
  std::set<std::string> words;
  for (const auto& set : synonyms) {
    for (const auto& phrase : set) {
      for (std::size_t begin = 0; begin < phrase.size();) {
        const std::size_t end = std::min(phrase.find(' ', begin), phrase.size());
        words.insert(phrase.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  }
  return words;
}

/// Returns related words for the most frequent words of the vocabulary, as many as an entry may have: totals of
/// match=all, which peers repeat, do not depend on them.
std::vector<PhraseRelation> generated_relations() {
  constexpr std::uint32_t kRelatedWords = 20'000;
  constexpr std::uint32_t kTargets = 24;
  constexpr std::uint32_t kStep = 7'919;  // a prime: the targets are of all frequencies
  constexpr std::uint8_t kWeight = 64;
  std::vector<PhraseRelation> relations;
  for (std::uint32_t rank = 0; rank < kRelatedWords; ++rank) {
    for (std::uint32_t i = 1; i <= kTargets; ++i) {
      relations.push_back({word(rank), word((rank + i * kStep) % kRelatedWords), Relation::related, kWeight});
    }
  }
  return relations;
}

class GeneratedTracks final : public TrackReader {
 public:
  explicit GeneratedTracks(const Generator& generator) : generator_(generator) {}

  std::uint32_t size() const override { return generator_.size(); }
  Track read(std::uint32_t index) const override { return generator_.track(index); }

 private:
  const Generator& generator_;
};

}  // namespace

std::string fingerprint_of(const Generator& generator) {
  std::string text;
  each_sample(generator, [&](const Track& track) { text += text_of(track); });
  return hex_hash(text);
}

std::string fingerprint_of(const Generator& generator, const Catalog& catalog) {
  std::string text = fingerprint_of(generator);
  std::vector<std::uint32_t> positions;
  each_sample(generator, [&](const Track& track) { positions.push_back(catalog.find(track.id).value()); });
  for (const auto& rendered : catalog.render(positions)) text += rendered.json;
  return hex_hash(text);
}

void write_snapshot_file(const Generator& generator, const std::string& path, const std::string& names_path) {
  SnapshotOptions options;
  builder::Thesaurus thesaurus = builder::built_in_thesaurus();
  options.synonyms = std::move(thesaurus.synonyms);
  options.relations = std::move(thesaurus.relations);
  for (PhraseRelation& relation : generated_relations()) options.relations.push_back(std::move(relation));
  check_vocabulary(words_of(options.synonyms));
  NamesBuilder names;
  for (std::uint32_t i = 0; i < generator.size(); ++i) names.add(generator.track(i));
  write_names(names_path, names.finish());
  std::filesystem::remove(path);
  native::OpensslHashing hashing;
  builder::SnapshotFileWriter output(path);
  write_snapshot(output, GeneratedTracks(generator), options, hashing);
}

}  // namespace tonearm::bench
