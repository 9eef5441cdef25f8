#pragma once
// All index structures of an opened snapshot. Constant, safe for concurrent use.

#include "catalog/index/completions.h"
#include "catalog/index/creator_index.h"
#include "catalog/index/file_hashes.h"
#include "catalog/index/fingerprints.h"
#include "catalog/index/id_index.h"
#include "catalog/index/layout.h"
#include "catalog/index/license_tree.h"
#include "catalog/index/phrases.h"
#include "catalog/index/spellings.h"
#include "catalog/index/tag_terms.h"
#include "catalog/index/taken_down.h"
#include "catalog/index/tempo_order.h"
#include "catalog/index/term_index.h"
#include "catalog/index/thesaurus.h"
#include "catalog/index/track_store.h"

namespace tonearm::catalog {

struct Index {
  /// The sections must outlive the index. Throws CatalogDamaged if a section has the wrong size.
  Index(const Sections& sections, const Layout& tracks_of, TakenDown taken_down_since = {})
      : layout(tracks_of),
        columns(read_columns(sections, layout.size)),
        terms(sections, layout.size),
        tags(sections),
        phrases(sections[SectionId::phrases]),
        thesaurus(sections[SectionId::thesaurus]),
        completions(sections[SectionId::completions]),
        tempos(sections, layout),
        ids(sections, layout),
        creators(sections, layout),
        spellings(sections[SectionId::spellings]),
        fingerprints(sections),
        file_hashes(sections[SectionId::file_hashes]),
        licenses(sections[SectionId::license_tree], track_blocks_of(layout.size)),
        tracks(sections, layout),
        taken_down(std::move(taken_down_since)) {}

  Layout layout;
  Columns columns;
  TermIndex terms;
  TagTerms tags;
  PhraseIndex phrases;
  Thesaurus thesaurus;
  Completions completions;
  TempoOrder tempos;
  IdIndex ids;
  CreatorIndex creators;
  Spellings spellings;
  Fingerprints fingerprints;
  FileHashes file_hashes;
  LicenseTree licenses;
  TrackStore tracks;
  TakenDown taken_down;
};

}  // namespace tonearm::catalog
