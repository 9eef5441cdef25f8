#pragma once
// Which rows of sources are about one recording, and which licenses they state for it (LINE-8, LINE-15). Recordings are
// kept in a union-find structure: rows that share an id or the address of their audio, or that turn out to be
// duplicates, belong to one recording.

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "canonical/license_statement.h"
#include "tracks/string_table.h"

namespace tonearm::builder {

class Recordings {
 public:
  using Index = std::uint32_t;

  /// The statements about one recording and the strictest of them.
  struct Verdict {
    LicenseStatement strictest;
    std::optional<LicenseStatement> milder;  // the first that differs from it
    bool is_contradictory = false;           // no license covers all others
  };
  struct Contradiction {
    std::string id;  // the first id of the recording
    LicenseStatement strictest;
    LicenseStatement milder;
  };

  /// Returns the recording of an id, and adds it if it is new.
  Index add(const std::string& id);
  /// Returns the recording of an id; nothing if no row of a source is about it.
  std::optional<Index> find(const std::string& id) const;
  /// Merges two recordings into the one that was added first.
  void merge(Index one, Index other);

  /// Adds what a source states. Repeated statements count once.
  void add_statement(Index recording, const LicenseStatement& statement);
  /// Adds a recording that this one was cut, copied or mixed from.
  void add_original(Index recording, const std::string& original_id);
  /// Merges the recording with the one at the same address.
  void add_address(Index recording, const std::string& address);

  /// The first track of the recording that was accepted.
  std::optional<std::uint32_t> track(Index recording) const;
  void set_track(Index recording, std::uint32_t track) { nodes_[root_of(recording)].track = track; }

  /// Applies the statements about each recording to everything that it was made from, and then to everything that was
  /// made from it, through any number of steps (LINE-15, ADR 93).
  void propagate();

  /// Returns the license that counts for the recording of an id; nothing if no source states one.
  std::optional<Verdict> verdict(const std::string& id) const;
  /// Returns the recordings whose sources state different licenses.
  std::vector<Contradiction> contradictions() const;

 private:
  static constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    Index parent = 0;  // itself: a root
    std::uint32_t track = kNone;
    std::uint32_t statement = kNone;  // the first
  };
  struct Stated {
    std::uint64_t line = 0;
    std::uint32_t input = 0;
    std::uint32_t license = 0;   // number in the table
    std::uint32_t next = kNone;  // statement about the same recording
  };
  /// From each root to other roots.
  using Links = std::map<Index, std::vector<Index>>;

  Index root_of(Index recording) const;
  std::vector<LicenseStatement> statements(Index root) const;
  /// Returns whether the statement is new.
  bool add_to_root(Index root, const LicenseStatement& statement);
  void propagate_along(const Links& links);

  mutable std::vector<Node> nodes_;  // by the number of the first id; `root_of` shortens paths
  std::deque<Stated> statements_;
  std::map<Index, std::vector<Index>> made_from_;  // by root
  StringTable ids_;
  StringTable addresses_;
  std::vector<Index> recording_of_address_;
  StringTable licenses_;
};

}  // namespace tonearm::builder
