#include "program/requests.h"

#include <algorithm>
#include <boost/json.hpp>

#include "domain/collection.h"
#include "output/json_values.h"
#include "text/percent.h"
#include "text/unicode.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;
using settings::UsageError;
using settings::Values;

constexpr std::size_t kTracksPerRequest = 25;
constexpr std::size_t kTrackIdBytesMax = 4 * std::size_t{table::kTrackIdMax};

/// Rejects text that is not UTF-8.
std::string checked(std::string text, const std::string& what) {
  if (!text::is_utf8(text)) throw UsageError(what + " is not UTF-8");
  return text;
}

std::string track_id(const std::string& text) {
  if (text.empty() || text.size() > kTrackIdBytesMax) throw UsageError("TRACK must be an id");
  return checked(text, "TRACK");
}

std::string collection_id(const Values& values) {
  auto id = values.text("COLLECTION");
  if (!is_collection_id(id)) values.refuse("COLLECTION", "an id (col_ and 26 letters and digits)");
  return id;
}

std::string target_of(const CommandRow& row, const Values& values) {
  std::string target(row.target);
  const auto put = [&](std::string_view placeholder, const std::string& id) {
    target.replace(target.find(placeholder), placeholder.size(), text::encode_percent(id));
  };
  if (target.find("{COLLECTION}") != std::string::npos) put("{COLLECTION}", collection_id(values));
  if (target.find("{TRACK}") != std::string::npos) put("{TRACK}", track_id(values.text("TRACK")));
  return target;
}

/// Builds a query string.
class Query {
 public:
  void add(std::string_view name, const std::string& value) {
    text_ += text_.empty() ? '?' : '&';
    text_.append(name).append("=").append(text::encode_percent(checked(value, std::string(name)), ","));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

void add_parameters(Query& query, const CommandRow& row, const Values& values) {
  for (const auto& parameter : row.parameters) {
    if (!row.rest.empty() && parameter.name == "q") continue;
    const auto name = option_name(parameter);
    if (values.is_given(name)) query.add(parameter.name, values.text(name));
  }
}

/// Returns the query string of a GET or DELETE.
std::string query_of(const CommandRow& row, const Values& values) {
  Query query;
  if (row.name == "search" && !rest_of(values, row).empty()) query.add("q", joined(rest_of(values, row), " "));
  add_parameters(query, row, values);
  if (row.name == "collection credits") {
    for (const auto* const name : {"format", "heading"}) {
      if (values.is_given(name)) query.add(name, values.text(name));
    }
  }
  if (row.name == "collection delete") {
    if (!values.is_on("yes")) throw UsageError("a deleted collection cannot be restored; use --yes to delete it");
    query.add("confirm", "true");
  }
  if (row.method == "DELETE" && values.is_given("revision")) query.add("revision", values.text("revision"));
  return query.text();
}

json::array array_of(const std::vector<std::string>& texts) {
  json::array array;
  array.reserve(texts.size());
  for (const auto& text : texts) array.emplace_back(track_id(text));
  return array;
}

std::int64_t revision_of(const CommandRow& row, const Values& values, ApiClient& client) {
  if (const auto given = values.number("revision")) return static_cast<std::int64_t>(*given);
  const auto target = target_of(row, values);
  const auto answer = client.send_or_throw({"GET", target.substr(0, target.find('/', sizeof("/v1/collections/") - 1))});
  return number_at(read_answer(answer.body), {"revision"});
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::object edit_body(const Values& values) {
  json::object body;
  if (values.is_given("note")) body["note"] = text_or_null(checked(values.text("note"), "--note"));
  if (values.is_given("position")) body["position"] = values.number("position").value();
  if (values.is_given("revision")) body["revision"] = values.number("revision").value();
  if (values.is_given("changes") || values.is_given("changes-text")) {
    json::array chips;
    const auto list = checked(values.text("changes"), "--changes");
    for (std::size_t begin = 0; begin < list.size();) {
      const auto end = std::min(list.find(',', begin), list.size());
      chips.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
    body["modifications"] = {{"chips", chips},
                             {"text", text_or_null(checked(values.text("changes-text"), "--changes-text"))}};
  }
  return body;
}

json::object body_of(const CommandRow& row, const Values& values, ApiClient& client) {
  if (row.name == "collection edit") return edit_body(values);
  json::object body;
  if (row.name == "collection order") body["tracks"] = array_of(rest_of(values, row));
  if (row.name == "collection create") body["name"] = checked(values.text("NAME"), "NAME");
  if (row.name == "collection update" && values.is_given("name")) body["name"] = checked(values.text("name"), "--name");
  if (row.name != "collection order" && values.is_given("commercial")) body["commercial"] = values.is_on("commercial");
  if (row.name != "collection create") body["revision"] = revision_of(row, values, client);
  return body;
}

std::vector<ApiRequest> adding_requests(const CommandRow& row, const Values& values) {
  const auto tracks = rest_of(values, row);
  std::vector<ApiRequest> requests;
  for (std::size_t begin = 0; begin < tracks.size(); begin += kTracksPerRequest) {
    const auto end = std::min(begin + kTracksPerRequest, tracks.size());
    const std::vector<std::string> some(tracks.begin() + static_cast<std::ptrdiff_t>(begin),
                                        tracks.begin() + static_cast<std::ptrdiff_t>(end));
    requests.push_back({row.method, target_of(row, values), json::serialize(json::object{{"tracks", array_of(some)}})});
  }
  return requests;
}

/// Requests one track by its path, whose answer is the track, and several by their ids.
ApiRequest tracks_request(const CommandRow& row, const Values& values) {
  const auto ids = rest_of(values, row);
  for (const auto& id : ids) track_id(id);
  if (ids.size() == 1) return {row.method, std::string(row.target) + '/' + text::encode_percent(ids.front())};
  Query query;
  query.add("ids", joined(ids, ","));
  return {row.method, std::string(row.target) + query.text()};
}

}  // namespace

std::vector<std::string> rest_of(const Values& values, const CommandRow& row) {
  std::vector<std::string> words;
  if (row.rest.empty()) return words;
  for (const auto& [name, text] : values.items()) {
    if (name == row.rest.front().name) words.push_back(text);
  }
  return words;
}

std::vector<ApiRequest> requests_of(const CommandRow& row, const Values& values, ApiClient& client) {
  if (row.name == "track") return {tracks_request(row, values)};
  if (row.name == "collection add") return adding_requests(row, values);
  if (row.method == "GET" || row.method == "DELETE") {
    return {{row.method, target_of(row, values) + query_of(row, values)}};
  }
  auto target = target_of(row, values);
  return {{row.method, std::move(target), json::serialize(body_of(row, values, client))}};
}

}  // namespace tonearm::cli
