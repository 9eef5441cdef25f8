#include "snapshot/inspection.h"

#include <map>
#include <optional>
#include <stdexcept>

#include "json/writer.h"
#include "runtime/failure.h"
#include "snapshot/pinned_file.h"
#include "system/signing_keys.h"
#include "tonearm/catalog.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/terminal.h"

namespace tonearm::builder {
namespace {

struct Contents {
  std::shared_ptr<const Catalog> catalog;
  std::map<std::string, std::string> manifest;
};

std::shared_ptr<const native::PinnedFile> open_file(const std::string& path) {
  try {
    return std::make_shared<const native::PinnedFile>(path);
  } catch (const std::runtime_error& failure) {
    throw Failure(failure.what());
  }
}

std::optional<SignatureClaim> claim_of(const SnapshotFile& file, const std::string& path) {
  try {
    return signature_claim(file);
  } catch (const sql::Failure& failure) {
    throw Failure(path + ": " + failure.what());
  }
}

Contents open(const std::string& path) {
  const auto file = open_file(path);
  auto opened = Catalog::open(file, {.allow_evaluation = true});
  if (!opened) throw Failure(path + ": " + opened.error().message);
  return {*opened, snapshot_manifest(*file)};
}

/// A search for effects leaves speech out unless it asks for it (SEARCH-7), so speech is counted separately.
std::uint64_t count(const Catalog& catalog, SearchQuery query) {
  auto total = catalog.count(query);
  if (query.kind == Kind::sfx) {
    query.categories = {"speech"};
    total += catalog.count(query);
  }
  return total;
}

using Counts = std::map<std::string, std::uint64_t>;

struct Figures {
  Counts kinds;
  Counts licenses;
  Counts sources;
};

Figures figures_of(const Catalog& catalog) {
  Figures figures;
  for (const auto kind : {Kind::music, Kind::sfx}) {
    SearchQuery query;
    query.kind = kind;
    figures.kinds[std::string(kKindNames[static_cast<std::size_t>(kind)])] = count(catalog, query);
    for (const auto id : catalog.values().licenses) {
      query.licenses = {id};
      figures.licenses[std::string(license(id).name_id)] += count(catalog, query);
    }
  }
  for (const auto& source : catalog.values().sources) figures.sources[source.id] = source.track_count;
  return figures;
}

void write_counts(json::Writer& out, std::string_view key, const Counts& counts) {
  out.key(key);
  out.begin_object();
  for (const auto& [name, number] : counts) {
    out.key(name);
    out.integer(static_cast<std::int64_t>(number));
  }
  out.end_object();
}

std::string as_json_text(const Contents& contents, const Figures& figures) {
  json::Writer out;
  out.begin_object();
  out.key("version");
  out.string(contents.catalog->version());
  out.key("track_count");
  out.integer(contents.catalog->track_count());
  out.key("manifest");
  out.begin_object();
  for (const auto& [name, text] : contents.manifest) {
    out.key(name);
    out.string(text);
  }
  out.end_object();
  write_counts(out, "searchable_by_kind", figures.kinds);
  write_counts(out, "searchable_by_license", figures.licenses);
  write_counts(out, "tracks_by_source", figures.sources);
  out.end_object();
  return out.take() + "\n";
}

std::string as_text(const Contents& contents, const Figures& figures) {
  std::string out = "version  " + contents.catalog->version() + "\n";
  out += "tracks  " + std::to_string(contents.catalog->track_count()) + "\n";
  out += "manifest\n";
  const auto append_row = [&out](std::string_view name, std::string_view text) {
    out.append("  ").append(terminal::line(name)).append("  ").append(terminal::line(text)).append("\n");
  };
  for (const auto& [name, text] : contents.manifest) append_row(name, text);
  const auto append = [&](const char* title, const Counts& counts) {
    out += title;
    out += '\n';
    for (const auto& [name, number] : counts) append_row(name, std::to_string(number));
  };
  append("in searches, by kind", figures.kinds);
  append("in searches, by license", figures.licenses);
  append("by source", figures.sources);
  return out;
}

}  // namespace

std::string inspect_snapshot(const std::string& path, bool as_json) {
  const auto contents = open(path);
  const auto figures = figures_of(*contents.catalog);
  return as_json ? as_json_text(contents, figures) : as_text(contents, figures);
}

std::string verify_file(const std::string& path, const std::string& key, Hashing& hashing) {
  std::optional<native::TrustedKeys> trusted;
  if (!key.empty()) trusted.emplace(key);
  const auto file = open_file(path);
  const auto result = verify_snapshot(file, hashing);
  if (!result) throw Failure(path + ": " + result.error().message);
  const auto claim = claim_of(*file, path);
  if (trusted) {
    if (const auto refusal = trusted->refusal(claim)) throw Failure(path + ": " + *refusal);
  } else if (claim && !native::holds_in_itself(*claim)) {
    throw Failure(path + ": its signature is not that of its content");
  }
  return path + ": ok, version " + result->version + ", " + std::to_string(result->track_count) + " tracks, " +
         (claim ? "signed with the key " + native::key_id(claim->public_key) : "not signed") + "\n";
}

}  // namespace tonearm::builder
