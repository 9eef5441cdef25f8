#pragma once
// The words that make a track similar to others. Those of effects are stems as in searches (SEARCH-2), with words of
// the thesaurus that mean the same or more.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "input/thesaurus.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// What is known about words. Constant, safe for concurrent use.
class WordTable {
 public:
  /// Reads the thesaurus's phrases of one word; those of several words are ignored.
  explicit WordTable(const Thesaurus& thesaurus = {});

  /// Whether the word or stem occurs in any text, so that it makes nothing similar (SEARCH-5).
  bool is_stop_word(const std::string& word) const { return stop_words_.contains(word); }
  /// Whether the stem describes a file or its recording ("wav", "stereo", "take").
  bool is_file_word(const std::string& stem) const { return file_words_.contains(stem); }
  /// Returns stems that a search for them would find the stem by: the first of its synonyms, and each broader word.
  const std::vector<std::string>& wider(const std::string& stem) const;

 private:
  std::unordered_set<std::string> stop_words_;
  std::unordered_set<std::string> file_words_;
  std::unordered_map<std::string, std::vector<std::string>> wider_;
};

/// Splits texts into words. An instance belongs to one thread at a time.
class WordReader {
 public:
  WordReader();
  ~WordReader();
  WordReader(const WordReader&) = delete;
  WordReader& operator=(const WordReader&) = delete;

  /// Calls `on_word` for each word of three bytes or more: of music without case and diacritics, of effects its stem.
  /// Texts of effects are often names of files: digits are not words, but separate them ("rain01"), and so do capitals
  /// ("HeavyRain"). REQUIRES: is_utf8(text).
  void each_word(Kind kind, std::string_view text, const std::function<void(const std::string&)>& on_word);

 private:
  struct Stemmer;
  std::unique_ptr<Stemmer> stemmer_;
};

}  // namespace tonearm::builder
