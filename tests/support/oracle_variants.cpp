#include "oracle_variants.h"

#include <algorithm>
#include <array>
#include <boost/regex.hpp>
#include <numeric>
#include <string>

#include "text/unicode.h"

namespace tonearm::test::oracle {
namespace {

// SEARCH-14, copied from the specification.
const std::string kWorks =
    " act book bwv cd ch chapter concerto day disc disk ep episode etude fugue gnossienne gymnopedie hymn impromptu "
    "invention kv mass mouvement mov movement mvt no nocturne nr number op opus part partita parts prelude pt quartet "
    "quintet rhapsody scene side sinfonia sonata study suite symphony trio variatio variation vol volume waltz season "
    "étude gymnopédie prélude nº n° ";

struct Numbered {
  std::string stem;  // empty: none
  int number = 0;
};

Numbered numbered(const Track& track) {
  static const boost::regex kFileName(R"(([\s\S]+)\.(wav|mp3|ogg|flac|aif|aiff|m4a|opus))", boost::regex::icase);
  static const boost::regex kNumbered(R"(([\s\S]*[^ \t\-_#.:()\[\]0-9])([ \t\-_#.:()\[\]]*)([0-9]{1,3})[ )\]]*)");
  static const boost::regex kNote(R"(([\s\S]*[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f])?[A-Ga-g][#b]?)");
  boost::smatch parts;
  std::string title = title_to_match(track);
  if (boost::regex_match(title, parts, kFileName)) title = parts[1].str();
  if (!boost::regex_match(title, parts, kNumbered)) return {};
  const std::string stem = text::fold_case(parts[1].str());
  if (boost::regex_match(parts[1].str() + parts[2].str(), kNote)) return {};
  std::string word = stem;
  const auto is_of_word = [](char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; };
  word.erase(word.begin(), std::find_if_not(word.rbegin(), word.rend(), is_of_word).base());
  if (track.kind == Kind::music && !word.empty() && kWorks.find(' ' + word + ' ') != std::string::npos) return {};
  return {stem, std::stoi(parts[3].str())};
}

bool are_one_recording(const Track& a, const Track& b) {
  if (a.duration_ms != b.duration_ms || a.duration_ms == 0) return false;
  const auto same_text = [](const std::string& x, const std::string& y) {
    return text::fold_case(x) == text::fold_case(y);
  };
  if (!a.artist.empty() && same_text(a.artist, b.artist) && same_text(title_to_match(a), title_to_match(b)))
    return true;
  for (const std::string* one : {&a.original_url, &a.preview_url}) {
    if (!one->empty() && (*one == b.original_url || *one == b.preview_url)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> families_of(const std::vector<Track>& tracks) {
  std::vector<std::size_t> families(tracks.size());
  std::iota(families.begin(), families.end(), 0U);
  std::vector<Numbered> titles;
  std::vector<std::string> artists;
  for (const Track& track : tracks) {
    titles.push_back(numbered(track));
    artists.push_back(text::fold_case(track.artist));
  }
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    for (std::size_t other = 0; other < i; ++other) {
      if (tracks[i].kind != tracks[other].kind || tracks[i].taken_down || tracks[other].taken_down) continue;
      const bool is_numbered = !artists[i].empty() && artists[i] == artists[other] && !titles[i].stem.empty() &&
                               titles[i].stem == titles[other].stem && titles[i].number != titles[other].number;
      const std::size_t before = families[i];
      if (before == families[other] || (!is_numbered && !are_one_recording(tracks[i], tracks[other]))) continue;
      std::replace(families.begin(), families.end(), before, families[other]);
    }
  }
  return families;
}

}  // namespace tonearm::test::oracle
