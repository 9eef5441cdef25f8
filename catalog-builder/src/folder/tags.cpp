#include "folder/tags.h"

#include <taglib/fileref.h>
#include <taglib/tag.h>
#include <taglib/tpropertymap.h>

#include <array>
#include <boost/regex.hpp>

#include "text/unicode.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kTextBytesMax = 64UL * 1024;

struct TagName {
  const char* property;
  const char* key;
};
constexpr std::array<TagName, 13> kNames{{{"TITLE", "title"},
                                          {"ARTIST", "artist"},
                                          {"GENRE", "genre"},
                                          {"KEYWORDS", "tags"},
                                          {"DESCRIPTION", "description"},
                                          {"COMMENT", "description"},
                                          {"BPM", "bpm"},
                                          {"TEMPO", "bpm"},
                                          {"KIND", "kind"},
                                          {"CONTACT", "source_page"},
                                          {"FILEWEBPAGE", "source_page"},
                                          {"AUDIOSOURCEWEBPAGE", "source_page"},
                                          {"SOURCE", "source_page"}}};

std::string text_of(const TagLib::String& value) {
  auto text = value.to8Bit(true);
  std::erase(text, '\0');
  return text.size() <= kTextBytesMax && text::is_utf8(text) ? std::string(text::trimmed(text)) : std::string();
}

bool is_url(const std::string& text) { return text.starts_with("http://") || text.starts_with("https://"); }

void add_licenses(const TagLib::PropertyMap& properties, Statement& statement) {
  static const boost::regex kUrl(R"(https?://(?:www\.)?creativecommons\.org/[^\s<>"'()]*[^\s<>"'().,;])",
                                 boost::regex::perl | boost::regex::icase);
  for (const char* name : {"LICENSE", "LICENCE", "COPYRIGHTURL"}) {
    for (const auto& value : properties[name]) {
      if (auto text = text_of(value); !text.empty()) statement.licenses.push_back(std::move(text));
    }
  }
  for (const auto& value : properties["COPYRIGHT"]) {
    const auto text = text_of(value);
    for (boost::sregex_iterator at(text.begin(), text.end(), kUrl); at != boost::sregex_iterator(); ++at) {
      statement.licenses.push_back(at->str());
    }
  }
}

}  // namespace

Statement read_tags(const std::string& path) {
  Statement statement;
  statement.document = "tags";
  const TagLib::FileRef file(path.c_str(), false);
  if (file.isNull() || file.file() == nullptr) return statement;
  const auto properties = file.file()->properties();
  for (const auto& [property, key] : kNames) {
    const auto values = properties[property];
    if (values.isEmpty()) continue;
    const auto text = text_of(values.front());
    if (text.empty() || (std::string_view(key) == "source_page" && !is_url(text))) continue;
    statement.fields.emplace(key, text);
  }
  add_licenses(properties, statement);
  return statement;
}

}  // namespace tonearm::builder
