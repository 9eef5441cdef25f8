#include "html/texts.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "html/text_files.h"
#include "messages/message.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kStandard = "en";

/// The language of a range such as de-AT.
std::string language_of(std::string_view range) { return ascii::to_lower(range.substr(0, range.find('-'))); }

}  // namespace

Texts::Texts(std::string language, std::string_view json) : language_(std::move(language)) {
  const auto parsed = boost::json::parse(json);
  for (const auto& entry : parsed.as_object()) {
    texts_.emplace(std::string(entry.key()), std::string(entry.value().as_string()));
  }
}

const std::map<std::string, Texts, std::less<>>& Texts::all() {
  static const auto kAll = [] {
    std::map<std::string, Texts, std::less<>> made;
    for (const auto& file : text_files()) {
      made.emplace(file.language, Texts(std::string(file.language), file.json));
    }
    return made;
  }();
  return kAll;
}

const Texts& Texts::of(std::string_view language) {
  const auto found = all().find(language);
  if (found == all().end()) throw std::logic_error("there is no language " + std::string(language));
  return found->second;
}

const std::vector<std::string>& Texts::languages() {
  static const auto kLanguages = [] {
    std::vector<std::string> names;
    names.reserve(all().size());
    for (const auto& [name, texts] : all()) names.push_back(name);
    return names;
  }();
  return kLanguages;
}

const Texts& Texts::chosen(std::string_view query, const Headers& headers) {
  if (const auto asked = query_value(query, "lang"); asked && all().contains(*asked)) return of(*asked);
  std::string best(kStandard);
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
  return of(best);
}

const std::string& Texts::operator()(std::string_view name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) throw std::logic_error(language_ + " has no text " + std::string(name));
  return found->second;
}

std::string Texts::operator()(std::string_view name, std::string_view value) const {
  auto text = (*this)(name);
  const auto at = text.find("{}");
  return at == std::string::npos ? text : text.replace(at, 2, value);
}

std::vector<std::string> Texts::names() const {
  std::vector<std::string> names;
  names.reserve(texts_.size());
  for (const auto& [name, text] : texts_) names.push_back(name);
  return names;
}

}  // namespace tonearm::web
