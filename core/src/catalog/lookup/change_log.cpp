#include "catalog/lookup/change_log.h"

#include <algorithm>
#include <tuple>

#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::catalog {
namespace {

struct Head {
  std::uint32_t versions = 0;
  std::uint32_t changes = 0;
};
using VersionName = std::array<std::uint8_t, 8>;
struct VersionEntry {
  VersionName name{};
  std::uint32_t first_change = 0;
  std::uint32_t zero = 0;
};
static_assert(sizeof(Head) == 8 && sizeof(VersionEntry) == 16);

/// Precedes the ids of a change's licenses and its track.
struct ChangeHead {
  std::uint8_t kind = 0;
  std::uint8_t before_size = 0;
  std::uint8_t after_size = 0;
  std::uint8_t id_size = 0;
};
static_assert(sizeof(ChangeHead) == 4);
constexpr std::size_t kTextMax = 255;
constexpr std::size_t kChangeBytesMax = sizeof(ChangeHead) + 3 * kTextMax;

std::uint64_t ends_offset(std::uint64_t versions) { return sizeof(Head) + versions * sizeof(VersionEntry); }
std::uint64_t changes_offset(std::uint64_t versions, std::uint64_t changes) {
  return ends_offset(versions) + (changes + 1) * sizeof(std::uint32_t);
}

VersionName encode_name(std::string_view version) {
  VersionName name{};
  if (version.size() != 2 * name.size()) throw Failure("the changes name no version: " + std::string(version));
  for (std::size_t i = 0; i < name.size(); ++i) {
    name.at(i) =
        static_cast<std::uint8_t>(ascii::hex_value(version[2 * i]) * 16 + ascii::hex_value(version[2 * i + 1]));
  }
  if (ascii::to_hex(name) != version) throw Failure("the changes name no version: " + std::string(version));
  return name;
}

void append_change(const CatalogChange& change, std::string& bytes) {
  const auto size = [](const std::string& text) {
    if (text.size() > kTextMax) throw Failure("an id of a change has more than 255 bytes");
    return static_cast<std::uint8_t>(text.size());
  };
  const std::array head{ChangeHead{static_cast<std::uint8_t>(change.kind), size(change.license_before),
                                   size(change.license_after), size(change.track_id)}};
  bytes.append(raw_bytes(head)).append(change.license_before).append(change.license_after).append(change.track_id);
}

CatalogChange parse_change(std::string_view bytes) {
  ChangeHead head;
  std::memcpy(&head, slice(bytes, 0, sizeof head).data(), sizeof head);
  if (head.kind >= kChangeNames.size()) throw_damaged("a change is of an unknown kind");
  const std::string_view before = slice(bytes, sizeof head, head.before_size);
  const std::string_view after = slice(bytes, sizeof head + before.size(), head.after_size);
  const std::string_view id = slice(bytes, sizeof head + before.size() + after.size(), head.id_size);
  if (id.empty() || sizeof head + before.size() + after.size() + id.size() != bytes.size()) {
    throw_damaged("a change has the wrong size");
  }
  return {static_cast<ChangeKind>(head.kind), std::string(id), std::string(before), std::string(after)};
}

}  // namespace

std::string encode_change_log(std::span<const VersionChanges> log) {
  std::vector<VersionEntry> versions;
  std::vector<std::uint32_t> ends{0};
  std::string bytes;
  for (const VersionChanges& of_version : log) {
    versions.push_back({encode_name(of_version.since), static_cast<std::uint32_t>(ends.size() - 1), 0});
    for (const CatalogChange& change : of_version.changes) {
      append_change(change, bytes);
      ends.push_back(static_cast<std::uint32_t>(bytes.size()));
    }
  }
  if (versions.size() > kKnownVersionsMax || ends.size() - 1 > kKnownChangesMax) throw Failure("too many changes");
  const std::array head{Head{static_cast<std::uint32_t>(versions.size()), static_cast<std::uint32_t>(ends.size() - 1)}};
  return std::string(raw_bytes(head)).append(raw_bytes(versions)).append(raw_bytes(ends)).append(bytes);
}

std::optional<std::size_t> ChangeLog::Versions::find(std::string_view name) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Version& version) { return version.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

/// Copies values, because those of a remote file are valid only for a moment.
template <class Value>
std::vector<Value> ChangeLog::values(std::uint64_t offset, std::uint64_t count) const {
  std::string buffer;
  const std::string_view bytes = section_.bytes(offset, count * sizeof(Value), buffer);
  std::vector<Value> copies(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(copies.data(), bytes.data(), bytes.size());
  return copies;
}

ChangeLog::Versions ChangeLog::versions() const {
  const Head head = values<Head>(0, 1).front();
  if (head.versions > kKnownVersionsMax || head.changes > kKnownChangesMax ||
      changes_offset(head.versions, head.changes) > section_.size()) {
    throw_damaged("the changes have the wrong size");
  }
  Versions versions;
  versions.change_count = head.changes;
  std::uint32_t first = 0;
  for (const VersionEntry& entry : values<VersionEntry>(sizeof head, head.versions)) {
    if (entry.first_change < first || entry.first_change > head.changes || entry.zero != 0) {
      throw_damaged("the changes are not in order");
    }
    first = entry.first_change;
    versions.all.push_back({ascii::to_hex(entry.name), first});
  }
  return versions;
}

std::vector<CatalogChange> ChangeLog::changes(const Versions& versions, std::uint32_t begin, std::uint32_t end) const {
  const std::uint64_t count = versions.all.size();
  const auto ends = values<std::uint32_t>(ends_offset(count) + begin * std::uint64_t{sizeof(std::uint32_t)},
                                          std::uint64_t{end} - begin + 1);
  if (!std::is_sorted(ends.begin(), ends.end()) || ends.back() - ends.front() > (ends.size() - 1) * kChangeBytesMax) {
    throw_damaged("the changes have the wrong size");
  }
  std::string buffer;
  const std::string_view bytes =
      section_.bytes(changes_offset(count, versions.change_count) + ends.front(), ends.back() - ends.front(), buffer);
  std::vector<CatalogChange> changes;
  changes.reserve(ends.size() - 1);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    changes.push_back(parse_change(slice(bytes, ends[i] - ends.front(), ends[i + 1] - ends[i])));
  }
  return changes;
}

void check_change_log(const Extent& section, const std::string& version) {
  const ChangeLog log(section);
  const ChangeLog::Versions versions = log.versions();
  std::uint64_t size = changes_offset(versions.all.size(), versions.change_count);
  for (std::size_t i = 0; i < versions.all.size(); ++i) {
    const auto& [name, first] = versions.all[i];
    if (name == version || versions.find(name) != i) throw_damaged("the changes name a version twice");
    const std::uint32_t end = i + 1 < versions.all.size() ? versions.all[i + 1].first_change : versions.change_count;
    const auto changes = log.changes(versions, first, end);
    const auto is_misplaced = [](const CatalogChange& a, const CatalogChange& b) {
      return std::tie(a.kind, a.track_id) >= std::tie(b.kind, b.track_id);
    };
    if (std::adjacent_find(changes.begin(), changes.end(), is_misplaced) != changes.end()) {
      throw_damaged("the changes are not in order");
    }
    for (const CatalogChange& change : changes) {
      if (change.license_before.empty() != (change.kind == ChangeKind::added) ||
          change.license_after.empty() != (change.kind == ChangeKind::removed)) {
        throw_damaged("a change lacks a license, or has one too many");
      }
      std::string bytes;
      append_change(change, bytes);
      size += bytes.size();
    }
  }
  const bool begins_with_version =
      versions.change_count == 0 || (!versions.all.empty() && versions.all[0].first_change == 0);
  if (!begins_with_version || size != section.size()) throw_damaged("the changes have the wrong size");
}

}  // namespace tonearm::catalog
