#include "tonearm/snapshot_writer.h"

#include <algorithm>

#include "catalog/index/creator_index.h"
#include "catalog/index/facets.h"
#include "catalog/index/file_hashes.h"
#include "catalog/index/fingerprints.h"
#include "catalog/index/hash.h"
#include "catalog/index/id_index.h"
#include "catalog/index/license_tree.h"
#include "catalog/index/listing.h"
#include "catalog/index/media_origins.h"
#include "catalog/index/phrases.h"
#include "catalog/index/tag_terms.h"
#include "catalog/index/tempo_order.h"
#include "catalog/index/track_store.h"
#include "catalog/lookup/change_log.h"
#include "catalog/query/search.h"
#include "catalog/storage/content_hash.h"
#include "catalog/storage/schema.h"
#include "catalog/storage/statement.h"
#include "catalog/writer/completions_builder.h"
#include "catalog/writer/listing_builder.h"
#include "catalog/writer/matching_texts.h"
#include "catalog/writer/numbering.h"
#include "catalog/writer/posting_list_builder.h"
#include "catalog/writer/section_writer.h"
#include "catalog/writer/spellings_builder.h"
#include "catalog/writer/thesaurus_builder.h"
#include "json/writer.h"
#include "reflection/track_type.h"
#include "text/unicode.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm {
namespace catalog {
namespace {

// FTS5 merges its segments at the end, and before that only if there are 16 of one level.
constexpr const char* kSettingsOfWords = R"(
INSERT INTO words (words, rank) VALUES ('automerge', 0);
INSERT INTO words (words, rank) VALUES ('hashsize', 536870912);
)";
/// FTS5 writes what it collected after so many tracks, which bounds its memory.
constexpr std::uint32_t kTracksPerFlush = 100'000;

/// Completions that a thread counts at a time.
constexpr std::size_t kTextsPerBlock = 256;

sql::SqliteHandle open_in_memory() { return sql::open_sqlite(":memory:", sql::OpenMode::read_write_create); }

/// Returns the input's row in the manifest.
std::string json_of(const SnapshotInput& input) {
  json::Writer out;
  out.begin_object();
  const auto text = [&out](std::string_view key, const std::string& value) {
    out.key(key);
    value.empty() ? out.null() : out.string(value);
  };
  text("role", input.role);
  text("source", input.source);
  text("name", input.name);
  out.key("files");
  out.integer(static_cast<std::int64_t>(input.files));
  out.key("bytes");
  out.integer(static_cast<std::int64_t>(input.bytes));
  text("sha256", input.sha256);
  out.end_object();
  return out.take();
}

class Writer {
 public:
  Writer(SqliteSnapshotOutput& output, const TrackReader& tracks, const SnapshotOptions& options, Hashing& hashing)
      : output_(output),
        database_(output.database()),
        tracks_(tracks),
        options_(options),
        hashing_(hashing),
        numbering_(number_tracks(tracks)) {}

  SnapshotSummary write() {
    execute(database_,
            "PRAGMA page_size = 16384; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
            "PRAGMA secure_delete = ON; PRAGMA application_id = 0x546f6e65;");
    execute(database_, "BEGIN EXCLUSIVE");
    for (const TableSchema& table : kSchema) execute(database_, std::string(table.sql));
    execute(database_, kSettingsOfWords);
    write_synonyms();
    // Two passes read all tracks, the passes for terms and for FTS5 only those that are not taken down.
    report_step("tracks", 2 * (std::uint64_t{numbering_.layout.size} + numbering_.layout.speech_end));
    collect_columns();
    collect_terms();
    listing_.write(database_, options_);
    listing_ = {};  // large
    tag_keys_ = tag_keys(read_values(database_));
    write_words();
    write_relations();
    write_manifest();
    const Sha256 tables = hash_tables(database_, hashing_);
    execute(database_, "COMMIT");
    drop_free_pages();
    SectionWriter sections(output_, hashing_, output_.end_database());
    const std::vector<std::uint32_t> track_blocks = write_tracks(sections, columns_.ties.ranks);
    report_step("posting lists", postings_.size());
    PostingListBuilder::Written written = postings_.write(sections, numbering_.layout, columns_.ties.ranks,
                                                          {tag_keys_, thesaurus_keys_}, [&] { report_item(); });
    postings_ = {};  // large
    write_audio(sections);
    sections.begin(SectionId::changes);
    sections.append(encode_change_log(options_.changes));
    write_license_tree(sections);
    write_columns(sections);
    free_columns();
    write_thesaurus(sections, written.locations);
    sections.begin(SectionId::tag_terms);
    sections.append(written.tag_terms);
    sections.begin(SectionId::terms);
    sections.append(written.terms);
    written = {};  // large
    sections.begin(SectionId::phrases);
    phrases_.finish([&](std::string_view bytes) { sections.append(bytes); });
    write_array(sections, SectionId::track_blocks, track_blocks);
    write_completions(sections);
    return {version_of(sections.finish(tables, license_root_, options_.signer)), numbering_.layout.size};
  }

 private:
  Track track_at(std::uint32_t position) const { return tracks_.read(numbering_.track_at[position]); }

  void report_step(std::string_view step, std::uint64_t items) const {
    if (options_.on_step) options_.on_step(step, items);
  }
  void report_item() const {
    if (options_.on_item) options_.on_item();
  }

  void run_blocks(std::size_t count, std::size_t block,
                  const std::function<void(std::size_t begin, std::size_t end)>& work) const {
    if (options_.run_blocks) {
      options_.run_blocks(count, block, work);
    } else {
      work(0, count);
    }
  }

  void write_synonyms() {
    Statement insert(database_, "INSERT INTO synonyms (set_number, place, phrase) VALUES (?1, ?2, ?3)");
    for (std::size_t set = 0; set < options_.synonyms.size(); ++set) {
      for (std::size_t place = 0; place < options_.synonyms[set].size(); ++place) {
        insert.bind_integer(1, static_cast<std::int64_t>(set));
        insert.bind_integer(2, static_cast<std::int64_t>(place));
        insert.bind_text(3, options_.synonyms[set][place]);
        insert.run();
      }
    }
  }

  // Only `verify` reads this table, so it follows all others.
  void write_relations() {
    Statement insert(database_, "INSERT INTO relations (phrase, target, relation, weight) VALUES (?1, ?2, ?3, ?4)");
    for (const PhraseRelation& relation : options_.relations) {
      insert.bind_text(1, relation.phrase);
      insert.bind_text(2, relation.target);
      insert.bind_integer(3, static_cast<std::int64_t>(relation.relation));
      insert.bind_integer(4, relation.weight);
      insert.run();
    }
  }

  /// Collects the columns, and the average lengths, which the impacts of terms depend on.
  void collect_columns() {
    Tokenizer tokenizer(database_);
    LengthAverages lengths;
    for (std::uint32_t position = 0; position < numbering_.layout.size; ++position) {
      const Track track = track_at(position);
      columns_builder_->add(track);
      report_item();
      if (position >= numbering_.layout.speech_end) continue;
      lengths.add(track_text(track, options_.tag_labels), tokenizer);
      if (track.audio) with_audio_.push_back(position);
    }
    average_ = lengths.averages();
    columns_ = columns_builder_->finish();
  }

  void collect_terms() {
    Tokenizer tokenizer(database_);
    thesaurus_.emplace(options_.synonyms, options_.relations, tokenizer);
    for (const std::string& stem : thesaurus_->stems()) thesaurus_keys_.push_back(text_key(stem));
    for (std::uint32_t position = 0; position < numbering_.layout.speech_end; ++position) {
      const Track track = track_at(position);
      const TrackText text = track_text(track, options_.tag_labels);
      postings_.add(position, track, count_terms(text, tokenizer), average_);
      spellings_.add(position, track, text, tokenizer);
      completions_.add(track, text, tokenizer);
      const MatchingText matching = matching_text(track);
      write_matching_text(database_, position, matching);
      phrases_.add(position, phrase_hashes(titles_of(track.title, matching), track.artist, tokenizer));
      phrases_.add(position, address_hashes(std::array{track.source_page, track.preview_url, track.original_url}));
      listing_.add(track);
      media_origins_.add(track.preview_url, track.original_url, track.peaks_url);
      report_item();
    }
    completions_.select_frequent();
    creators_ = listing_.creators();
    spellings_section_ = spellings_.finish(creators_.section, tokenizer);
    spellings_ = {};  // large
  }

  // The row id is the position plus one.
  void write_words() {
    Statement insert(database_, "INSERT INTO words (rowid, text) VALUES (?1, ?2)");
    for (std::uint32_t position = 0; position < numbering_.layout.speech_end; ++position) {
      const std::string all = joined(track_text(track_at(position), options_.tag_labels));
      insert.bind_integer(1, std::int64_t{position} + 1);
      insert.bind_text(2, all);
      insert.run();
      if ((position + 1) % kTracksPerFlush == 0) execute(database_, "INSERT INTO words (words) VALUES ('flush')");
      report_item();
    }
    execute(database_, "INSERT INTO words (words) VALUES ('optimize')");
  }

  void write_manifest() {
    Statement insert(database_, "INSERT INTO manifest (key, value) VALUES (?1, ?2)");
    const auto write = [&](std::string_view key, const std::string& value) {
      insert.bind_text(1, key);
      insert.bind_text(2, value);
      insert.run();
    };
    const Layout& layout = numbering_.layout;
    write("format_version", std::to_string(kSnapshotVersion));
    write("tonearm_version", TONEARM_VERSION);
    write("profile", options_.evaluation ? "evaluation" : "catalog");
    write("site_url", options_.site_url);
    write(kAudioOrigins, media_origins_.audio.value());
    write(kPeaksOrigins, media_origins_.peaks.value());
    write("track_paths", std::to_string(table::track_paths().size()));
    write("tracks", std::to_string(layout.size));
    write("music", std::to_string(layout.music_end));
    write("effects", std::to_string(layout.effects_end - layout.music_end));
    write("speech", std::to_string(layout.speech_end - layout.effects_end));
    write("taken_down", std::to_string(layout.size - layout.speech_end));
    write("average_title_256", std::to_string(average_.title));
    write("average_tags_256", std::to_string(average_.tags));
    write("average_description_256", std::to_string(average_.description));
    write("average_hidden_256", std::to_string(average_.hidden));
    for (const auto& [key, digest] : options_.similar_digests) write(key, digest);
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
      constexpr std::size_t kDigits = 6;
      std::string number = std::to_string(i + 1);
      number.insert(0, kDigits - std::min(kDigits, number.size()), '0');
      write("input." + number, json_of(options_.inputs[i]));
    }
  }

  /// Returns the starts of the track blocks.
  std::vector<std::uint32_t> write_tracks(SectionWriter& sections, std::span<const std::uint32_t> tie_rank) {
    std::vector<std::uint32_t> block_starts;
    std::uint64_t written = 0;
    sections.begin(SectionId::tracks);
    for (std::uint32_t first = 0; first < numbering_.layout.size; first += kTracksPerBlock) {
      const std::string block = encode_track_block(first, tie_rank);
      block_starts.push_back(static_cast<std::uint32_t>(written / kTrackBlockUnit));
      written += block.size();
      if (written / kTrackBlockUnit > ~std::uint32_t{0}) throw Failure("the tracks take more than 64 GiB");
      sections.append(block);
    }
    return block_starts;
  }

  std::string encode_track_block(std::uint32_t first, std::span<const std::uint32_t> tie_rank) {
    std::vector<Sha256> leaves;
    TrackBlockEnds ends{};
    std::string tracks;
    for (std::uint32_t number = 0; number < kTracksPerBlock; ++number) {
      const std::uint32_t position = first + number;
      if (position < numbering_.layout.size) {
        const Track track = track_at(position);
        const table::TrackJson rendered = table::render_track(track, options_.site_url);
        leaves.push_back(leaf_hash(table::license_record({rendered.json, rendered.offsets}), hashing_));
        tracks += encode_track(rendered.json, rendered.offsets, neighbor_positions(track, position, numbering_),
                               tie_rank[position]);
        report_item();
      }
      ends.at(number) = static_cast<std::uint32_t>(sizeof ends + tracks.size());
    }
    license_nodes_.push_back(tree_root(std::move(leaves), hashing_));
    std::string block(raw_bytes(ends));
    block.append(tracks).resize((sizeof ends + tracks.size() + kTrackBlockUnit - 1) / kTrackBlockUnit *
                                kTrackBlockUnit);
    return block;
  }

  template <class Value>
  static void write_array(SectionWriter& sections, SectionId id, const std::vector<Value>& values) {
    sections.begin(id);
    sections.append(raw_bytes(values));
  }

  void write_thesaurus(SectionWriter& sections, const std::map<std::string, PostingLocation>& locations) const {
    sections.begin(SectionId::thesaurus);
    sections.append(thesaurus_->finish([&](const std::string& stem) -> std::optional<PostingLocation> {
      const auto found = locations.find(text_key(stem));
      if (found == locations.end()) return std::nullopt;
      return found->second;
    }));
  }

  /// Searches what was written so far for each text.
  void write_completions(SectionWriter& sections) {
    const std::unique_ptr<const SnapshotFile> file = output_.written();
    const Sections written = sections.written(*file);
    const Index index(written, numbering_.layout);
    const Fetcher fetcher(*file, index);
    const sql::SqliteHandle connection = open_in_memory();
    Tokenizer tokenizer(connection.get());
    Synonyms synonyms;
    for (const auto& texts : options_.synonyms) synonyms.add_set(texts, tokenizer);
    const Search search(index, fetcher, synonyms, *usable_kernels().back());
    report_step("completions", completions_.size());
    CompletionsEncoder encoder = completions_.encode(
        [&](Kind kind, std::span<CountedText> texts) {
          run_blocks(texts.size(), kTextsPerBlock, [&](std::size_t begin, std::size_t end) {
            SearchContext context(open_in_memory());
            for (CountedText& it : texts.subspan(begin, end - begin)) {
              SearchQuery query;
              query.q = it.text;
              query.kind = kind;
              query.match = WordMatch::all;
              it.total = search.count(query, context);
              report_item();
            }
          });
        },
        tokenizer);
    sections.begin(SectionId::completions);
    encoder.finish([&](std::string_view bytes) { sections.append(bytes); });
  }

  /// Tracks taken down are not found by sound.
  void write_audio(SectionWriter& sections) const {
    FingerprintsBuilder fingerprints;
    std::vector<FileHash> hashes;
    for (const std::uint32_t position : with_audio_) {
      const auto audio = track_at(position).audio;
      fingerprints.add(position, audio->fingerprint);
      for (const Sha256& hash : audio->file_hashes) hashes.push_back({hash, position});
    }
    sections.begin(SectionId::fingerprints);
    sections.append(fingerprints.fingerprints());
    sections.begin(SectionId::fingerprint_index);
    sections.append(fingerprints.index());
    sections.begin(SectionId::file_hashes);
    sections.append(encode_file_hashes(std::move(hashes)));
  }

  /// REQUIRES: the tracks were written, which collects the hashes of their records.
  void write_license_tree(SectionWriter& sections) {
    const EncodedLicenseTree tree = encode_license_tree(std::move(license_nodes_), hashing_);
    license_root_ = tree.root;
    sections.begin(SectionId::license_tree);
    sections.append(tree.section);
  }

  void write_creators(SectionWriter& sections) const {
    sections.begin(SectionId::creators);
    sections.append(creators_.section);
    write_array(sections, SectionId::creator_starts, creators_.starts);
    write_array(sections, SectionId::creator, columns_builder_->creators(creators_.number));
  }

  void write_columns(SectionWriter& sections) {
    const auto after = [](SectionId id, std::size_t count) {
      return static_cast<SectionId>(static_cast<std::size_t>(id) + count);
    };
    for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
      columns_.orders[i].positions = columns_builder_->order_of(kStoredSorts[i], columns_);
      write_array(sections, after(SectionId::rank_quality, i), inverse_of(columns_.orders[i].positions));
    }
    for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
      write_array(sections, after(SectionId::order_quality, i), columns_.orders[i].positions);
    }
    write_array(sections, SectionId::families, columns_.families);
    write_creators(sections);
    sections.begin(SectionId::spellings);
    sections.append(spellings_section_);
    sections.begin(SectionId::ids);
    sections.append(encode_ids(numbering_.id_hash, numbering_.layout));
    write_array(sections, SectionId::tie_rank, columns_.ties.ranks);
    write_array(sections, SectionId::tie_order, columns_.ties.positions);
    write_array(sections, SectionId::duration_ms, columns_.duration_ms);
    write_array(sections, SectionId::bpm_hundredths, columns_.bpm_hundredths);
    sections.begin(SectionId::tempos);
    sections.append(encode_tempos(view_of(columns_), numbering_.layout));
    write_array(sections, SectionId::quality, columns_.quality);
    write_array(sections, SectionId::flags, columns_.flags);
  }

  /// Frees what no later section needs: most of the writer's memory is needed for the completions.
  void free_columns() {
    columns_ = {};
    columns_builder_.reset();
    const Layout layout = numbering_.layout;
    numbering_ = {};
    numbering_.layout = layout;
    creators_ = {};
    spellings_section_ = {};
  }

  // Merging the segments of FTS5 may leave free pages.
  void drop_free_pages() {
    bool has_free_pages = false;
    {
      Statement count(database_, "PRAGMA freelist_count");
      has_free_pages = count.step() && count.integer(0) > 0;
    }
    if (has_free_pages) execute(database_, "VACUUM");
  }

  SqliteSnapshotOutput& output_;
  sqlite3* database_;
  const TrackReader& tracks_;
  const SnapshotOptions& options_;
  Hashing& hashing_;
  Numbering numbering_;
  std::optional<ColumnsBuilder> columns_builder_{numbering_};
  OwnedColumns columns_;
  std::vector<std::uint32_t> with_audio_;  // positions of searchable tracks with measured audio
  AverageLengths average_;                 // of the fields of all searchable tracks
  PostingListBuilder postings_;
  PhrasesBuilder phrases_;
  SpellingsBuilder spellings_;
  CompletionsBuilder completions_;
  ListingBuilder listing_;
  MediaOriginCounts media_origins_;
  // Sections that need the database, which is closed before they are written.
  ListingBuilder::Creators creators_;
  std::string spellings_section_;
  std::vector<std::string> tag_keys_;
  std::optional<ThesaurusBuilder> thesaurus_;
  std::vector<std::string> thesaurus_keys_;  // of its terms
  // Of the license records.
  std::vector<Sha256> license_nodes_;  // by track block
  Sha256 license_root_{};
};

}  // namespace
}  // namespace catalog

SnapshotSummary write_snapshot(SqliteSnapshotOutput& output, const TrackReader& tracks, const SnapshotOptions& options,
                               Hashing& hashing) {
  return catalog::Writer(output, tracks, options, hashing).write();
}

}  // namespace tonearm
