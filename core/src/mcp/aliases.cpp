#include "mcp/aliases.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "table/answers.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

string_view text_of(const js::object& object, string_view member) {
  const auto& value = object.at(member);
  return value.is_string() ? string_view(value.get_string()) : string_view{};
}

std::string name_of(const js::object& track) {
  const string_view artist = text_of(track, "artist");
  std::string name(text_of(track, "title"));
  if (!artist.empty()) name += " by " + std::string(artist);
  return name;
}

/// Adds "Label: value" as a line, unless the value is empty.
void add_line(std::string& text, string_view label, string_view value) {
  if (!value.empty()) ((text += label) += ": ") += std::string(value) + '\n';
}

std::string tags_of(const js::object& track) {
  std::string tags;
  for (const auto& facet : track.at("tags").as_object()) {
    for (const js::value& tag : facet.value().as_array()) {
      if (!tags.empty()) tags += ", ";
      tags += string_view(tag.as_string());
    }
  }
  return tags;
}

/// What a person asks of a track, as lines of text.
std::string text_about(const js::object& track) {
  const js::object& license = track.at("license").as_object();
  const js::object& terms = track.at("terms").as_object();
  std::string text;
  add_line(text, "License", text_of(license, "name"));
  add_line(text, "Commercial use", terms.at("commercial").as_bool() ? "allowed" : "not allowed");
  add_line(text, "Credit", text_of(track, "attribution"));
  add_line(text, "Credit line", text_of(track, "credit_line"));
  add_line(text, "Tags", tags_of(track));
  add_line(text, "Description", text_of(track, "description"));
  for (const string_view link : {"preview_url", "original_url", "source_page"}) {
    if (text_of(track, link).empty()) continue;
    add_line(text, "Listen", text_of(track, link));
    break;
  }
  return text;
}

js::object document(const js::object& track) {
  return {{"id", track.at("id")}, {"title", name_of(track)}, {"url", track.at("page_url")}};
}

js::object results(const js::object& answer) {
  js::array found;
  for (const js::value& track : answer.at("tracks").as_array()) found.push_back(document(track.as_object()));
  return {{"results", std::move(found)}, {table::kUntrustedFields, js::array{"title"}}};
}

js::object fetched(const js::object& track) {
  js::object made = document(track);
  made["text"] = text_about(track);
  js::object metadata;
  for (const string_view member : {"kind", "duration_s", "license", "terms", "attribution", "credit_line"}) {
    metadata[member] = track.at(member);
  }
  made["metadata"] = std::move(metadata);
  made[table::kUntrustedFields] = js::array{"title", "text", "credit_line"};
  return made;
}

constexpr std::array<Alias, 2> kAliases{
    {{"search", "search_tracks",
      "Finds ten tracks by words, as documents. search_tracks has filters and license terms.", "query", "q", results},
     {"fetch", "get_track", "Reads a track that search found: license, credit line, links.", "id", "id", fetched}}};

}  // namespace

std::span<const Alias> aliases() { return kAliases; }

const Alias* find_alias(string_view name) {
  const auto* found =
      std::find_if(kAliases.begin(), kAliases.end(), [name](const Alias& it) { return it.name == name; });
  return found == kAliases.end() ? nullptr : found;
}

js::object listed(const Alias& alias) {
  return {{"name", alias.name},
          {"description", alias.description},
          {"inputSchema", js::object{{"type", "object"},
                                     {"properties", js::object{{alias.argument, js::object{{"type", "string"}}}}},
                                     {"required", js::array{alias.argument}},
                                     {"additionalProperties", false}}},
          {"outputSchema", js::object{{"type", "object"}}},
          {"annotations", js::object{{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

js::object arguments_of_tool(const Alias& alias, const js::object& arguments) {
  js::object renamed;
  for (const js::key_value_pair& argument : arguments) {
    const bool is_its_own = argument.key() == alias.argument;
    renamed[is_its_own ? alias.argument_of_tool : string_view(argument.key())] = argument.value();
  }
  return renamed;
}

}  // namespace tonearm::mcp
