#include "html/translations.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "html/translation_files.h"
#include "messages/message.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kDefaultLanguage = "en";

/// Returns the language of a range such as de-AT.
std::string language_of(std::string_view range) { return ascii::to_lower(range.substr(0, range.find('-'))); }

}  // namespace

Translations::Translations(std::string language, std::string_view json) : language_(std::move(language)) {
  const auto parsed = boost::json::parse(json);
  for (const auto& entry : parsed.as_object()) {
    texts_.emplace(std::string(entry.key()), std::string(entry.value().as_string()));
  }
}

const std::map<std::string, Translations, std::less<>>& Translations::all() {
  static const auto kAll = [] {
    std::map<std::string, Translations, std::less<>> made;
    for (const auto& file : translation_files()) {
      made.emplace(file.language, Translations(std::string(file.language), file.json));
    }
    return made;
  }();
  return kAll;
}

const Translations& Translations::for_language(std::string_view language) {
  const auto found = all().find(language);
  if (found == all().end()) throw std::logic_error("no translations for " + std::string(language));
  return found->second;
}

const std::vector<std::string>& Translations::languages() {
  static const auto kLanguages = [] {
    std::vector<std::string> names;
    names.reserve(all().size());
    for (const auto& [name, texts] : all()) names.push_back(name);
    return names;
  }();
  return kLanguages;
}

const Translations& Translations::negotiate(std::string_view query, const Headers& headers) {
  if (const auto name = query_value(query, "lang"); name && all().contains(*name)) return for_language(*name);
  std::string best(kDefaultLanguage);
  int best_weight = 0;
  for (const auto& header : headers) {
    if (!is_named(header, "Accept-Language")) continue;
    std::string_view items = header.value;
    while (!items.empty()) {
      auto item = http_fields::next_element(items, ',');
      const auto language = language_of(http_fields::next_element(item, ';'));
      const auto parameter = http_fields::next_element(item, ';');
      const int weight = parameter.substr(0, 2) == "q=" ? http_fields::weight(parameter.substr(2)).value_or(0) : 1000;
      if (weight <= best_weight || !all().contains(language)) continue;
      best = language;
      best_weight = weight;
    }
  }
  return for_language(best);
}

const std::string& Translations::operator()(std::string_view name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) throw std::logic_error("no text in " + language_ + " for " + std::string(name));
  return found->second;
}

std::string Translations::operator()(std::string_view name, std::string_view value) const {
  auto text = (*this)(name);
  const auto at = text.find("{}");
  return at == std::string::npos ? text : text.replace(at, 2, value);
}

std::vector<std::string> Translations::names() const {
  std::vector<std::string> names;
  names.reserve(texts_.size());
  for (const auto& [name, text] : texts_) names.push_back(name);
  return names;
}

}  // namespace tonearm::web
