#include "folder/license_names.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <set>

#include "canonical/license_statement.h"
#include "text/unicode.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kNameBytesMax = 300;
constexpr std::size_t kNoticeBytesMax = 4'000;

/// Words of a notice that state no condition.
const std::set<std::string>& notice_words() {
  static const std::set<std::string> kWords{
      "a",         "all",     "an",      "and",       "are",         "as",      "at",      "audio",      "available",
      "by",        "copy",    "details", "directory", "distributed", "effects", "file",    "files",      "folder",
      "following", "for",     "full",    "here",      "in",          "is",      "license", "licence",    "licensed",
      "licenced",  "made",    "more",    "music",     "of",          "public",  "domain",  "dedication", "recordings",
      "released",  "samples", "see",     "song",      "songs",       "sound",   "sounds",  "terms",      "text",
      "the",       "these",   "this",    "to",        "track",       "tracks",  "under",   "view",       "visit",
      "waive",     "waived",  "with",    "work",      "works"};
  return kWords;
}

const boost::regex& mention() {
  static const boost::regex kMention(
      R"(https?://(?:www\.)?creativecommons\.org/[^\s<>"'()]*[^\s<>"'().,;])"
      R"(|(?:creative commons|CC)[ -](?:non-?commercial |NC[ -])?sampling(?:[ -]?(?:plus\b|\+))?(?:[ -]v?\d\.\d)?)"
      R"(|(?:creative commons(?: CC)?|CC)[ -]?(?:0|zero|BY|attribution)(?:[ -](?:NC|SA|ND|non-?commercial|share-?alike|no-?deriv[a-z]*))*)"
      R"((?:[ -]v?\d\.\d)?(?:[ -](?:international|unported|universal|[A-Z]{2}\b))?(?: public)?(?: (?:licen[cs]e|domain dedication))?)"
      R"(|OGA-BY[ -]\d\.\d)",
      boost::regex::perl | boost::regex::icase);
  return kMention;
}

std::string with_single_spaces(const std::string& text) {
  static const boost::regex kSpace(R"(\s+)");
  return std::string(text::trimmed(boost::regex_replace(text, kSpace, std::string(" "))));
}

NamedLicense ambiguous(std::string message) { return {{}, Reason::license_ambiguous, std::move(message)}; }

/// Returns a word that is not part of a plain notice, or an empty text.
std::string unexpected_word(const std::string& rest) {
  static const boost::regex kWord(R"([^\s.,;:!()\[\]<>"'*#_/-]+)");
  for (boost::sregex_iterator word(rest.begin(), rest.end(), kWord); word != boost::sregex_iterator(); ++word) {
    if (!notice_words().contains(text::fold_case(word->str()))) return word->str();
  }
  return {};
}

}  // namespace

NamedLicense read_license(const std::string& text, const std::vector<LicenseRule>& rules) {
  if (text.size() > kNameBytesMax || !text::is_utf8(text) || text.find('\0') != std::string::npos) {
    return {{}, Reason::license_unknown, "the name of the license is not readable"};
  }
  const auto name = with_single_spaces(text);
  static const boost::regex kExpression(R"((?:^|[\s)])(?:and|or|with)[\s(])", boost::regex::perl | boost::regex::icase);
  if (boost::regex_search(name, kExpression)) return ambiguous("several licenses are stated: " + text::quotable(name));
  for (const auto& rule : rules) {
    if (!boost::regex_search(name, rule.match)) continue;
    if (!rule.id.empty()) return {rule.id, Reason::license_unknown, {}};
    return {{}, rule.reason, rule.rejection_message + ": " + text::quotable(name)};
  }
  return {{}, Reason::license_unknown, "no rule knows the license " + text::quotable(name)};
}

NamedLicense read_notice(const std::string& text, const std::vector<LicenseRule>& rules) {
  if (text.size() > kNoticeBytesMax || !text::is_utf8(text) || text.find('\0') != std::string::npos) {
    return ambiguous("the text is longer than a notice, or not readable");
  }
  const auto plain = with_single_spaces(text);
  std::optional<NamedLicense> found;
  for (boost::sregex_iterator at(plain.begin(), plain.end(), mention()); at != boost::sregex_iterator(); ++at) {
    auto next = read_license(at->str(), rules);
    if (next.id.empty() && !next.is_known()) return next;
    if (found && (found->id.empty() != next.id.empty() || !may_be_same_license(found->id, next.id))) {
      return ambiguous("the text names several licenses");
    }
    if (!found || found->id.size() < next.id.size()) found = std::move(next);
  }
  if (!found) return ambiguous("the text names no known license");
  const auto unexpected = unexpected_word(boost::regex_replace(plain, mention(), std::string(" ")));
  if (!unexpected.empty()) return ambiguous("the text contains more than a license: " + text::quotable(unexpected));
  return *found;
}

bool mentions_rights(const std::string& text) {
  static const boost::regex kRights(
      R"(licen[cs]|\brights?\b|permi(?:t|ss)|allowed|forbid|prohibit|commercial|royalt|public[ -]domain|creative ?commons)"
      R"(|\bcc[ -]?(?:0|by|zero)\b|\boga-by\b|\bfree (?:to|for)\b|\b(?:may|must|do) not\b|spdx|copyleft)",
      boost::regex::perl | boost::regex::icase);
  return boost::regex_search(text, kRights);
}

}  // namespace tonearm::builder
