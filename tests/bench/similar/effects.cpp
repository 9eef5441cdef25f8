#include "effects.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <map>
#include <numeric>
#include <ostream>
#include <set>
#include <sstream>
#include <unordered_map>

#include "canonical/check.h"
#include "input/thesaurus.h"
#include "neighbors_in_memory.h"
#include "real_tracks.h"
#include "rows_of.h"
#include "similar/neighbor_collector.h"
#include "similar/neighbors_vectors.h"
#include "system/threads.h"

namespace tonearm::bench {
namespace {

using Row = std::vector<std::string>;
using Labels = std::map<std::string, std::set<std::string>>;  // by id

constexpr std::size_t kFirst = 5;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> cells;
  std::istringstream stream(text);
  for (std::string cell; std::getline(stream, cell, separator);) cells.push_back(cell);
  return cells;
}

std::vector<Row> read_table(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) rows.push_back(split(line, '\t'));
  return rows;
}

Labels read_labels(const std::string& path) {
  Labels labels;
  for (const auto& row : read_table(path)) {
    for (const auto& label : split(row.at(1), ',')) labels[row.at(0)].insert(label);
  }
  return labels;
}

/// Half of all names are for choosing weights, the others for measuring.
bool is_for_tuning(const std::string& name) {
  std::uint64_t hash = 0;
  for (const char c : name) hash = builder::mix64(hash + static_cast<unsigned char>(c));
  return hash % 2 == 0;
}

bool is_effect(const Track& track) {
  return track.kind == Kind::sfx && !builder::is_speech(track) && !track.taken_down;
}

/// Returns ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks_of(const std::vector<int>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end + 1) / 2;
  }
  return ranks;
}

/// Returns Spearman's rank correlation, or 0 if all values of one side are equal.
double correlation(const std::vector<int>& a, const std::vector<int>& b) {
  const auto of_a = ranks_of(a);
  const auto of_b = ranks_of(b);
  const double mean = static_cast<double>(a.size() + 1) / 2;
  double products = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += (of_a[i] - mean) * (of_b[i] - mean);
    squares_a += (of_a[i] - mean) * (of_a[i] - mean);
    squares_b += (of_b[i] - mean) * (of_b[i] - mean);
  }
  return squares_a == 0 || squares_b == 0 ? 0 : products / std::sqrt(squares_a * squares_b);
}

struct Judged {
  std::vector<int> crowd;
  std::vector<int> computed;
};

void say(const char* what, const Judged& pairs, std::ostream& out) {
  const auto alike = std::count_if(pairs.crowd.begin(), pairs.crowd.end(), [](int share) { return share > 500; });
  out << "  " << what << ": " << pairs.crowd.size() << " pairs, " << alike << " found alike by most, rank correlation "
      << correlation(pairs.crowd, pairs.computed) << '\n';
}

/// The effects of a catalog as the builder compares them.
class ComparedEffects {
 public:
  explicit ComparedEffects(const std::vector<Track>& tracks)
      : members_(members_of(tracks)),
        rows_(test::rows_of(tracks, members_, builder::WordTable(builder::built_in_thesaurus()))) {
    vectors_ = builder::vectors_of(rows_, native::processors());
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      index_.emplace(tracks[members_[i]].id, i);
      traits_.emplace_back().length = builder::length_of(tracks[members_[i]]);
    }
  }

  bool contains(const std::string& id) const { return index_.contains(id); }
  int similarity(const std::string& from, const std::string& to) const {
    const auto a = index_.at(from);
    const auto b = index_.at(to);
    if (!rows_.share_distinctive_feature(a, b)) return 0;
    const auto closeness =
        builder::less_by_length(builder::closeness(vectors_[a], vectors_[b]), traits_[a], traits_[b]);
    return std::max(closeness - builder::kUnrelated, 1);
  }

 private:
  static std::vector<std::uint32_t> members_of(const std::vector<Track>& tracks) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < tracks.size(); ++i) {
      if (is_effect(tracks[i])) members.push_back(i);
    }
    return members;
  }

  std::vector<std::uint32_t> members_;
  builder::FeatureRows rows_;
  std::vector<builder::Vector> vectors_;
  std::vector<builder::Traits> traits_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

void judge_pairs(const std::vector<Row>& pairs, const std::set<std::string>& own, const ComparedEffects& effects,
                 std::ostream& out) {
  Judged in_catalog;
  Judged tuning;
  Judged measured;
  for (const auto& row : pairs) {
    if (row.at(0) == row.at(1) || !effects.contains(row.at(0)) || !effects.contains(row.at(1))) continue;
    const int crowd = std::stoi(row.at(2));
    const int computed = effects.similarity(row.at(0), row.at(1));
    const auto add = [&](Judged& to) {
      to.crowd.push_back(crowd);
      to.computed.push_back(computed);
    };
    if (own.contains(row.at(0)) && own.contains(row.at(1))) add(in_catalog);
    add(is_for_tuning(row.at(1)) ? tuning : measured);
  }
  out << "pairs of sounds judged by a crowd\n";
  say("of the catalog alone", in_catalog, out);
  say("with all sounds by title and length, half for tuning", tuning, out);
  say("with all sounds by title and length, the other half", measured, out);
}

/// Adds the sounds of a table, except for those of the catalog. Returns the ids of the catalog's effects.
std::set<std::string> add_sounds(const std::string& path, std::vector<Track>& tracks) {
  std::set<std::string> ids;
  for (const auto& track : tracks) ids.insert(track.id);
  for (const auto& row : read_table(path)) {
    if (ids.contains(row.at(0))) continue;
    Track track;
    track.id = row.at(0);
    track.kind = Kind::sfx;
    track.title = row.at(1);
    track.duration_ms = std::stoull(row.at(2));
    tracks.push_back(std::move(track));
  }
  return ids;
}

void compute(std::vector<Track>& tracks) {
  const auto thesaurus = builder::built_in_thesaurus();
  builder::compute_neighbors(tracks, std::vector<bool>(tracks.size()), {.thesaurus = &thesaurus});
}

struct Shares {
  std::size_t asked = 0;
  std::size_t listed = 0;
  std::size_t alike = 0;
};

void say(const char* what, const Shares& shares, std::ostream& out) {
  const auto part = [](std::size_t of, std::size_t all) {
    return static_cast<double>(of) / static_cast<double>(std::max<std::size_t>(all, 1));
  };
  out << "    " << what << ": " << part(shares.alike, kFirst * shares.asked) << " of the first " << kFirst
      << " places, " << part(shares.alike, shares.listed) << " of those filled, " << shares.asked << " effects\n";
}

/// Prints how many of the first neighbors share a label, in a catalog of the labelled effects alone.
void judge_labels(const char* name, const Labels& labels, std::vector<Track> tracks, std::ostream& out) {
  std::erase_if(tracks, [&](const Track& track) { return !is_effect(track) || !labels.contains(track.id); });
  compute(tracks);
  Shares tuning;
  Shares measured;
  for (const auto& track : tracks) {
    const auto& own = labels.at(track.id);
    Shares& shares = is_for_tuning(*own.begin()) ? tuning : measured;
    ++shares.asked;
    for (std::size_t i = 0; i < std::min(kFirst, track.neighbors.size()); ++i) {
      const auto& others = labels.at(tracks[track.neighbors[i]].id);
      ++shares.listed;
      shares.alike += std::any_of(own.begin(), own.end(), [&](const auto& label) { return others.contains(label); });
    }
  }
  out << "  " << name << ", " << tracks.size() << " effects\n";
  say("labels for tuning", tuning, out);
  say("other labels", measured, out);
}

/// Removes what states the label of a sound.
void withhold(std::vector<Track>& tracks, const Labels& labels) {
  for (auto& track : tracks) {
    if (!labels.contains(track.id)) continue;
    for (auto& ids : track.tags) ids.clear();
    track.category.reset();
    track.matching_words.clear();
  }
}

void show(const Track& track, std::ostream& out) {
  out << track.title << " [" << track.duration_ms / 1000 << '.' << track.duration_ms % 1000 / 100 << " s";
  for (const auto& ids : track.tags) {
    for (const auto& id : ids) out << ' ' << id;
  }
  out << (track.category ? std::string("; ") + std::string(kCategories[*track.category].label) : "") << "]\n";
}

void show_neighbors(const std::string& path, std::vector<Track> tracks, std::ostream& out) {
  std::erase_if(tracks, [](const Track& track) { return track.duration_ms == 0; });
  compute(tracks);
  std::set<std::string> ids;
  for (const auto& row : read_table(path)) ids.insert(row.at(0));
  for (const auto& track : tracks) {
    if (!ids.contains(track.id)) continue;
    show(track, out);
    for (std::size_t i = 0; i < std::min(kFirst, track.neighbors.size()); ++i) {
      out << "    ";
      show(tracks[track.neighbors[i]], out);
    }
  }
}

/// Labels the clips of ESC-50 by the sounds that they were cut from: one clip of each sound.
Labels labels_of_clips(const std::vector<Track>& tracks, const Labels& labels_of_sounds) {
  Labels labels;
  std::set<std::string> seen;
  for (const auto& track : tracks) {
    if (!track.id.starts_with("esc50-")) continue;
    const auto pages = split(track.source_page, '/');
    const auto sound =
        std::find_if(pages.begin(), pages.end(), [&](const auto& it) { return labels_of_sounds.contains(it); });
    if (sound != pages.end() && seen.insert(*sound).second) labels.emplace(track.id, labels_of_sounds.at(*sound));
  }
  return labels;
}

}  // namespace

void judge_effects(const std::string& folder, const std::string& shown, std::ostream& out) {
  out << std::fixed << std::setprecision(3);
  const auto labels_2018 = read_labels(folder + "/labels_2018.tsv");
  const auto labels_2019 = read_labels(folder + "/labels_2019.tsv");
  const auto labels_of_sounds = read_labels(folder + "/clips.tsv");
  Labels clips;
  std::set<std::string> own;
  const auto tracks = read_clean_tracks([&](auto& read) { own = add_sounds(folder + "/sounds.tsv", read); });
  judge_pairs(read_table(folder + "/pairs.tsv"), own, ComparedEffects(tracks), out);
  out << "neighbors with the same label\n";
  judge_labels("FSDKaggle2019, with tags", labels_2019, tracks, out);
  const auto untagged = read_clean_tracks([&](auto& read) {
    withhold(read, labels_2018);
    clips = labels_of_clips(read, labels_of_sounds);
    withhold(read, clips);
  });
  judge_labels("FSDKaggle2018, tags withheld", labels_2018, untagged, out);
  judge_labels("ESC-50, tags withheld", clips, untagged, out);
  if (!shown.empty()) show_neighbors(shown, tracks, out);
}

}  // namespace tonearm::bench
