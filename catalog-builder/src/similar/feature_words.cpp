#include "similar/feature_words.h"

#include "catalog/index/tokenizer.h"
#include "tonearm/ascii.h"
#include "tonearm/sqlite.h"

namespace tonearm::builder {
namespace {

/// The words of SEARCH-5 that are long enough to be features.
constexpr std::string_view kStopWords =
    "and are for from into its our some that the their this with your "
    "music song songs track tracks tune sound sounds effect effects sfx audio";

/// Formats, devices and steps of work in names of files.
constexpr std::string_view kFileWords =
    "wav mp3 ogg aif aiff flac mono stereo bit khz mic zoom freesound foley clip file sample samples record recorded "
    "recording raw take edit edited final master mix mixed normalized processed new version clean various "
    "one two three short long";

/// Removes digits, and separates the words around them and those of "HeavyRain".
std::string separated(std::string_view text) {
  std::string out;
  char last = ' ';
  for (const char c : text) {
    if (ascii::is_digit(c) != ascii::is_digit(last) || (ascii::is_upper(c) && ascii::is_lower(last))) out += ' ';
    if (!ascii::is_digit(c)) out += c;
    last = c;
  }
  return out;
}

}  // namespace

struct WordReader::Stemmer {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  catalog::Tokenizer tokenizer{database.get()};
};

WordReader::WordReader() : stemmer_(std::make_unique<Stemmer>()) {}
WordReader::~WordReader() = default;

void WordReader::each_word(Kind kind, std::string_view text, const std::function<void(const std::string&)>& on_word) {
  constexpr std::size_t kBytesMin = 3;
  const auto call = [&](std::string_view word) {
    if (word.size() >= kBytesMin) on_word(std::string(word));
  };
  if (kind == Kind::sfx) {
    stemmer_->tokenizer.each_stem(separated(text), call);
  } else {
    stemmer_->tokenizer.each_folded(text, call);
  }
}

WordTable::WordTable(const Thesaurus& thesaurus) {
  WordReader reader;
  for (const Kind kind : {Kind::music, Kind::sfx}) {
    reader.each_word(kind, kStopWords, [&](const std::string& word) { stop_words_.insert(word); });
  }
  reader.each_word(Kind::sfx, kFileWords, [&](const std::string& stem) { file_words_.insert(stem); });
  // Returns an empty string for several words.
  const auto stem_of = [&](const std::string& phrase) {
    if (phrase.find(' ') != std::string::npos) return std::string();
    std::string only;
    reader.each_word(Kind::sfx, phrase, [&](const std::string& stem) { only = stem; });
    return only;
  };
  const auto add = [&](const std::string& stem, const std::string& wide) {
    const bool says_something = !wide.empty() && !is_stop_word(wide) && !is_file_word(wide);
    if (!stem.empty() && says_something && stem != wide) wider_[stem].push_back(wide);
  };
  for (const auto& set : thesaurus.synonyms) {
    const auto first = stem_of(set.front());
    for (const auto& phrase : set) add(stem_of(phrase), first);
  }
  for (const auto& it : thesaurus.relations) {
    if (it.relation == Relation::narrower) add(stem_of(it.target), stem_of(it.phrase));
  }
}

const std::vector<std::string>& WordTable::wider(const std::string& stem) const {
  static const std::vector<std::string> kNone;
  const auto found = wider_.find(stem);
  return found == wider_.end() ? kNone : found->second;
}

}  // namespace tonearm::builder
