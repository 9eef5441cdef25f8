#include "archives/credits_archive.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "messages/message.h"
#include "text/unicode.h"
#include "tonearm/license.h"

namespace tonearm::web {
namespace {

namespace json = boost::json;

const json::array& list_in(const json::object& object, std::string_view name) {
  const auto* const value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) throw std::runtime_error("a response of the API has no list");
  return value->get_array();
}

/// Returns the text on one line, without anything that programs read as a tag of REUSE or SPDX.
std::string untagged(std::string_view text) {
  auto line = text::one_line(text);
  for (const std::string_view tag : {"SPDX-", "REUSE-"}) {
    for (auto at = line.find(tag); at != std::string::npos; at = line.find(tag, at)) line[at + tag.size() - 1] = ' ';
  }
  return line;
}

/// Returns the name to credit: that of the track in the catalog, else the recorded artist.
std::string holder_of(const json::object& item) {
  const auto* const track = item.at("track").if_object();
  const auto* const credited = track == nullptr ? nullptr : track->if_contains("credit_as");
  if (credited != nullptr && credited->is_string()) return std::string(credited->get_string());
  return string_of(item.at("license_record").as_object(), "artist");
}

json::object record_of(const json::object& item, Notes notes) {
  json::object record;
  for (const std::string_view name : {"position", "track_id", "license_record", "license_changed", "modifications"}) {
    record[name] = item.at(name);
  }
  if (notes == Notes::included) record["note"] = item.at("note");
  return record;
}

std::string records_of(const json::object& collection, const json::object& credits, std::string_view description,
                       Notes notes) {
  json::array records;
  for (const auto& item : list_in(collection, "items")) records.push_back(record_of(item.as_object(), notes));
  const json::object document{{"collection", {{"name", collection.at("name")}, {"description", description}}},
                              {"catalog_version", credits.at("catalog_version")},
                              {"generated", credits.at("generated")},
                              {"records", std::move(records)},
                              {"untrusted_fields", {"title", "artist", "credit_line", "text"}}};
  return json::serialize(document) + '\n';
}

constexpr std::string_view kHowToVerify =
    R"(How to prove these licenses without this site

receipts.jsonl has one license receipt on each line. A receipt states what the catalog said about a track's license when you added the
track, and is signed by the publisher of the catalog. Tracks without a receipt were added from a catalog that was not signed.

1. Get the publisher's public key (publisher.pem) from the publisher, once, over a way that you trust. Keep it with this archive.
2. Run: tonearm verify-receipt receipts.jsonl --key publisher.pem
   It sends nothing, and answers "yes" with what each receipt proves, or "no" with the reason.
3. If the publisher keeps a log of releases: tonearm verify-log catalog-log.jsonl --key publisher.pem --receipt receipts.jsonl
   It shows that the catalog was published, and that no release was changed since.

In a dispute, send the receipt of the track, publisher.pem, and the page in the member "source_page" of its license record. LICENSES has the
text of each Creative Commons license; each record names the address of its license's text. The format is documented, so any program can check it: an Ed25519 signature (RFC 8032) over
"signed_message", which contains the root of a Merkle tree (RFC 6962); "path" leads there from "license_record_text".

A receipt does not prove that the source had the right to offer the license, or that an audio file is this track.
)";

std::string position_of(const json::object& credit) {
  constexpr std::size_t kDigits = 4;
  auto digits = std::to_string(credit.at("position").as_int64() + 1);
  return std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

/// `credit` names what was changed in its line, `item` the track in the catalog.
ArchiveEntry license_entry(const json::object& credit, const json::object& item) {
  return {"licenses/" + position_of(credit) + '-' + entry_name(string_of(credit, "track_id")) + ".license",
          license_file(holder_of(item), string_of(credit.at("license").as_object(), "id"),
                       string_of(credit, "credit_line"))};
}

/// The SPDX identifiers of the credits, each once.
std::set<std::string> license_identifiers(const json::array& credits) {
  std::set<std::string> identifiers;
  for (const auto& credit : credits) {
    const auto found = find_license(string_of(credit.at("license").as_object(), "id"));
    if (found) identifiers.emplace(license(*found).spdx);
  }
  return identifiers;
}

}  // namespace

std::string without_last_column(std::string_view csv) {
  std::string out;
  bool is_quoted = false;
  std::size_t last_comma = 0;  // in `out`, of this row
  for (const char c : csv) {
    if (c == '"') is_quoted = !is_quoted;  // a doubled quote changes it twice
    if (c == ',' && !is_quoted) last_comma = out.size();
    if (c == '\r' && !is_quoted) out.resize(last_comma);
    out += c;
  }
  return out;
}

std::string license_file(std::string_view holder, std::string_view license_id, std::string_view credit_line) {
  const auto found = find_license(license_id);
  const auto name = untagged(holder);
  std::string file = "SPDX-FileCopyrightText: " + (name.empty() ? "NOASSERTION" : name) + '\n';
  file.append("SPDX-License-Identifier: ").append(found ? license(*found).spdx : "NOASSERTION").append("\n\n");
  return file + untagged(credit_line) + '\n';
}

std::vector<ArchiveEntry> credits_entries(const CreditsDocuments& documents, std::string_view description, Notes notes,
                                          const LicenseText& license_text) {
  std::vector<ArchiveEntry> entries{
      {"credits.txt", documents.text},
      {"credits.md", documents.markdown},
      {"credits.csv", notes == Notes::included ? documents.csv : without_last_column(documents.csv)},
      {"credits.html", documents.html},
      {"license-records.json", records_of(documents.collection, documents.credits, description, notes)}};
  const auto& items = list_in(documents.collection, "items");
  const auto& credits = list_in(documents.credits, "credits");
  std::transform(credits.begin(), credits.end(), std::back_inserter(entries), [&](const json::value& credit) {
    const auto position = static_cast<std::size_t>(credit.at("position").as_int64());
    return license_entry(credit.as_object(), items.at(position).as_object());
  });
  for (const auto& spdx : license_identifiers(credits)) {
    if (auto text = license_text(spdx); !text.empty())
      entries.push_back({"LICENSES/" + spdx + ".txt", std::move(text)});
  }
  if (!documents.receipts.empty()) {
    entries.push_back({"receipts.jsonl", documents.receipts});
    entries.push_back({"how-to-verify.txt", std::string(kHowToVerify)});
  }
  return entries;
}

}  // namespace tonearm::web
