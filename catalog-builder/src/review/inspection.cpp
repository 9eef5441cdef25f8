#include "review/inspection.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <stdexcept>

#include "files/pinned_file.h"
#include "json/writer.h"
#include "review/opened_snapshot.h"
#include "review/problems.h"
#include "system/signing_keys.h"
#include "tonearm/catalog.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/terminal.h"

namespace tonearm::builder {
namespace {

/// The number of values shown for each facet.
constexpr std::size_t kTopValues = 10;

struct Contents {
  OpenedSnapshot snapshot;
  std::map<std::string, std::string> manifest;  // without the inputs
  std::vector<std::string> inputs;              // as JSON
  std::string signer;                           // the key's id; empty: not signed
  bool is_signature_valid = false;
  std::vector<Problem> problems;

  const Catalog* catalog = &snapshot.catalog();
};

std::optional<SignatureClaim> claim_of(const SnapshotFile& file, const std::string& path) {
  try {
    return signature_claim(file);
  } catch (const Failure& failure) {
    throw Failure(path + ": " + failure.what());
  }
}

Contents open(const std::string& path) {
  Contents contents{OpenedSnapshot(path), {}, {}, {}, false, {}};
  for (auto& [key, value] : snapshot_manifest(contents.snapshot.file())) {
    if (key.starts_with("input.")) {
      contents.inputs.push_back(value);
    } else {
      contents.manifest[key] = value;
    }
  }
  if (const auto claim = claim_of(contents.snapshot.file(), path)) {
    contents.signer = native::key_id(claim->public_key);
    contents.is_signature_valid = native::is_signed_by_own_key(*claim);
  }
  contents.problems = worst_problems(contents.snapshot);
  return contents;
}

/// Counts matches. A search for effects excludes speech unless it asks for it (SEARCH-7), so speech is counted
/// separately.
std::uint64_t count(const Catalog& catalog, SearchQuery query) {
  auto total = catalog.count(query);
  if (query.kind == Kind::sfx) {
    query.categories = {"speech"};
    total += catalog.count(query);
  }
  return total;
}

using Counts = std::map<std::string, std::uint64_t>;

/// The most frequent values of a facet, and the number of all values.
struct TopValues {
  std::string name;  // "music.genre"
  std::vector<ValueCount> values;
  std::size_t count = 0;
};

struct Figures {
  std::vector<TopValues> facets;
  Counts kinds;
  Counts licenses;
  Counts sources;
};

/// Effects exclude speech, as in a search.
std::vector<TopValues> facets_of(const Catalog& catalog) {
  std::vector<TopValues> all;
  for (const auto kind : {Kind::music, Kind::sfx}) {
    SearchQuery query;
    query.kind = kind;
    for (const auto facet : {CountedFacet::genre, CountedFacet::mood, CountedFacet::use, CountedFacet::instrument,
                             CountedFacet::sfx, CountedFacet::category}) {
      const bool applies =
          facet == CountedFacet::sfx || facet == CountedFacet::category ? kind == Kind::sfx : kind == Kind::music;
      if (!applies) continue;
      const auto counts = catalog.facet_counts(query, std::span(&facet, 1));
      const auto& counted = counts.of.at(static_cast<std::size_t>(facet));
      if (!counted) continue;
      std::vector<ValueCount> values(counted->begin(), counted->end());
      std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
      const std::size_t count = values.size();
      values.resize(std::min(count, kTopValues));
      all.push_back({std::string(kKindNames.at(static_cast<std::size_t>(kind))) + "." +
                         std::string(kCountedFacetNames.at(static_cast<std::size_t>(facet))),
                     std::move(values), count});
    }
  }
  return all;
}

Figures figures_of(const Catalog& catalog) {
  Figures figures;
  figures.facets = facets_of(catalog);
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

void write_facets(json::Writer& out, const std::vector<TopValues>& facets) {
  out.key("facets");
  out.begin_object();
  for (const auto& facet : facets) {
    out.key(facet.name);
    out.begin_object();
    out.integer("values", facet.count);
    out.key("top");
    out.begin_object();
    for (const auto& value : facet.values) {
      out.integer(value.id, value.count);
    }
    out.end_object();
    out.end_object();
  }
  out.end_object();
}

void write_problems(json::Writer& out, const std::vector<Problem>& problems) {
  out.key("problems");
  out.begin_array();
  for (const auto& problem : problems) {
    out.begin_object();
    out.string("problem", problem.name);
    out.integer("count", problem.count);
    out.key("examples");
    out.begin_array();
    for (const auto& example : problem.examples) out.string(example);
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

/// The inputs of a manifest are JSON; those of an untrusted file may be any text.
void write_inputs(json::Writer& out, const std::vector<std::string>& inputs) {
  out.key("inputs");
  out.begin_array();
  for (const auto& input : inputs) {
    boost::system::error_code code;
    (void)boost::json::parse(input, code);
    code ? out.string(input) : out.raw(input);
  }
  out.end_array();
}

std::string as_json_text(const Contents& contents, const Figures& figures) {
  json::Writer out;
  out.begin_object();
  out.string("version", contents.catalog->version());
  out.integer("track_count", contents.catalog->track_count());
  out.key("manifest");
  out.begin_object();
  for (const auto& [name, text] : contents.manifest) {
    out.string(name, text);
  }
  out.end_object();
  write_inputs(out, contents.inputs);
  out.key("changes_known_since");
  out.begin_array();
  for (const auto& version : contents.catalog->known_versions()) out.string(version);
  out.end_array();
  out.key("signed_by");
  contents.signer.empty() ? out.null() : out.string(contents.signer);
  out.key("signature_holds");
  contents.signer.empty() ? out.null() : out.boolean(contents.is_signature_valid);
  write_problems(out, contents.problems);
  write_facets(out, figures.facets);
  out.integers("searchable_by_kind", figures.kinds);
  out.integers("searchable_by_license", figures.licenses);
  out.integers("tracks_by_source", figures.sources);
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
  out += "inputs\n";
  for (const auto& input : contents.inputs) out.append("  ").append(terminal::line(input)).append("\n");
  const auto versions = contents.catalog->known_versions();
  out += "earlier versions with known changes  " + std::to_string(versions.size()) +
         (versions.empty() ? "\n" : ", the oldest " + versions.front() + "\n");
  out += contents.signer.empty() ? "not signed\n"
                                 : "signed with the key  " + contents.signer +
                                       (contents.is_signature_valid ? "\n" : ", BUT THE SIGNATURE IS WRONG\n");
  out += "problems, the worst first\n";
  for (const auto& problem : contents.problems) {
    out.append("  ").append(std::to_string(problem.count)).append("  ").append(problem.text).append(":");
    for (const auto& example : problem.examples) out.append(" ").append(terminal::line(example));
    out += "\n";
  }
  for (const auto& facet : figures.facets) {
    out += facet.name + ", " + std::to_string(facet.count) + " values\n";
    for (const auto& value : facet.values) append_row(value.id, std::to_string(value.count));
  }
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
  const auto file = open_snapshot_file(path);
  const auto result = verify_snapshot(file, hashing);
  if (!result) throw Failure(path + ": " + result.error().message);
  const auto claim = claim_of(*file, path);
  if (trusted) {
    if (const auto refusal = trusted->refusal(claim)) throw Failure(path + ": " + *refusal);
  } else if (claim && !native::is_signed_by_own_key(*claim)) {
    throw Failure(path + ": its signature is not that of its content");
  }
  return path + ": ok, version " + result->version + ", " + std::to_string(result->track_count) + " tracks, " +
         (claim ? "signed with the key " + native::key_id(claim->public_key) : "not signed") + "\n";
}

}  // namespace tonearm::builder
