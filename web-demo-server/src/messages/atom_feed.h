#pragma once
// Writes Atom feeds (RFC 4287). Pure, thread-safe. All texts are untrusted.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::web {

struct AtomEntry {
  std::string id;  // an IRI
  std::string title;
  std::int64_t updated_ms = 0;
  std::string link;
  std::string content;
};

struct AtomFeed {
  std::string id;  // an IRI
  std::string title;
  std::string author;
  std::int64_t updated_ms = 0;
  std::string self;  // the address of the feed
  std::vector<AtomEntry> entries;
};

/// Returns a name in the form of urn:uuid (RFC 9562, version 8) from the first 16 bytes of a hash.
std::string uuid_urn(std::string_view hash);

std::string atom_document(const AtomFeed& feed);

}  // namespace tonearm::web
