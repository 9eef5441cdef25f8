#include "routes/share_routes.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>
#include <utility>

#include "archives/credits_archive.h"
#include "files/whole_file.h"
#include "json/writer.h"
#include "routes/proxy_routes.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kDescriptionMax = 1'000;  // code points

std::string last_segment(const SiteCall& call) {
  return std::string(call.context.path.substr(call.context.path.rfind('/') + 1));
}

/// Lines of text without control characters.
bool is_description(std::string_view description) {
  for (std::size_t at = 0; at < description.size();) {
    const auto c = text::next_code_point(description, at);
    if (c != U'\n' && text::is_control(c)) return false;
  }
  return text::code_points(description) <= kDescriptionMax;
}

Response not_shared() { return error_answer(404, "not_found", "This link does not exist or was removed."); }
Response no_collection() { return error_answer(404, "not_found", "This collection does not exist."); }

/// Reads a collection from the API with a session key of its owner's account.
class CollectionReader {
 public:
  CollectionReader(Site& site, std::string session, std::string account, std::string collection)
      : site_(site), session_(std::move(session)), account_(std::move(account)), collection_(std::move(collection)) {}

  /// Returns the answer of GET /v1/collections/{id}, or nothing if there is no such collection.
  std::optional<std::string> read() const { return get(""); }

  /// Returns nothing if there is no such collection.
  std::optional<CreditsDocuments> read_documents() const {
    constexpr int kTries = 3;
    for (int tries = 0; tries < kTries; ++tries) {
      const auto collection = read();
      auto text = get("/credits?format=text");
      auto markdown = get("/credits?format=markdown");
      auto csv = get("/credits?format=csv");
      auto html = get("/credits?format=html");
      const auto credits = get("/credits?format=json");
      auto receipts = get("/receipts");
      if (!collection || !text || !markdown || !csv || !html || !credits) return std::nullopt;
      CreditsDocuments documents{read_object(*collection),
                                 read_object(*credits),
                                 *std::move(text),
                                 *std::move(markdown),
                                 *std::move(csv),
                                 *std::move(html),
                                 std::move(receipts).value_or("")};
      const auto& credited = documents.credits.at("collection").as_object();
      if (documents.collection.at("revision") == credited.at("revision")) return documents;
    }
    throw std::runtime_error("the collection changes all the time");
  }

 private:
  std::optional<std::string> get(std::string_view rest) const {
    const auto target = "/v1/collections/" + collection_ + std::string(rest);
    auto response = site_.session_keys.send(session_, account_, {"GET", target});
    if (!response || response->status == 404) return std::nullopt;
    if (response->status != 200) {
      throw std::runtime_error("the API answered " + std::to_string(response->status) + " to a read of a collection");
    }
    return std::move(response->body);
  }

  Site& site_;
  std::string session_;
  std::string account_;
  std::string collection_;
};

/// Reads a collection of the person; nothing if the path does not name one.
std::optional<CollectionReader> own_reader(Site& site, const SiteCall& call) {
  auto collection = last_segment(call);
  const auto is_id_character = [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '-'; };
  if (!std::all_of(collection.begin(), collection.end(), is_id_character)) return std::nullopt;
  return CollectionReader(site, call.signed_in->session_id, call.signed_in->person.account, std::move(collection));
}

bool is_own(Site& site, const SiteCall& call) {
  const auto reader = own_reader(site, call);
  return reader && reader->read();
}

Response share_answer(Site& site, const SiteCall& call, int status) {
  const auto share = site.shares.find(call.signed_in->person.name, last_segment(call));
  json::Writer out;
  out.begin_object();
  out.string("description", share.description);
  out.key("token");
  share.token.empty() ? out.null() : out.string(share.token);
  out.end_object();
  return json_answer(status, out.take());
}

/// Copies the members that readers of a link may see: no notes, and no ids of the collection.
boost::json::object public_collection(const boost::json::object& collection, const std::string& description) {
  boost::json::object out;
  for (const std::string_view name : {"name", "commercial", "track_count", "updated", "credits"}) {
    if (const auto* const value = collection.if_contains(name)) out[name] = *value;
  }
  out["description"] = description;
  auto& items = out["items"].emplace_array();
  for (const auto& item : collection.at("items").as_array()) {
    boost::json::object copy;
    for (const std::string_view name :
         {"track_id", "track", "modifications", "position", "license_record", "license_changed"}) {
      copy[name] = item.at(name);
    }
    items.push_back(std::move(copy));
  }
  return out;
}

/// The session of the keys that read shared collections of an account. It is no sign-in session.
CollectionReader shared_reader(Site& site, const SharedCollection& shared) {
  return {site, "shared " + shared.account, shared.account, shared.collection};
}

Response zip_answer(const Site& site, const CreditsDocuments& documents, std::string_view description, Notes notes,
                    const std::string& file) {
  return {200,
          {{"Content-Type", "application/zip"},
           {"Content-Disposition", "attachment; filename=\"" + file + ".zip\""},
           {"Cache-Control", "no-store"}},
          zip_archive(credits_entries(documents, description, notes, [&](std::string_view spdx) {
            return native::file_bytes(site.folders.site + "/license-texts/" + std::string(spdx) + ".txt");
          }))};
}

std::optional<SharedCollection> find_shared(Site& site, const std::string& token) {
  return Sessions::is_token(token) ? site.shares.find_link(token) : std::nullopt;
}

}  // namespace

Response get_share(Site& site, const SiteCall& call) {
  return is_own(site, call) ? share_answer(site, call, 200) : no_collection();
}

Response set_description(Site& site, const SiteCall& call) {
  const auto body = read_strings(call.context.request.body, {"description"});
  const auto description = body ? string_of(*body, "description") : "";
  if (!body || !is_description(description)) {
    return error_answer(400, "invalid_request", "The body must be {\"description\": text of at most 1000 characters}.");
  }
  if (!is_own(site, call)) return no_collection();
  site.shares.set_description(call.signed_in->person.name, last_segment(call), description);
  return share_answer(site, call, 200);
}

Response create_link(Site& site, const SiteCall& call) {
  if (!is_own(site, call)) return no_collection();
  site.shares.create_link(call.signed_in->person.name, last_segment(call), site.sessions.new_token());
  return share_answer(site, call, 201);
}

Response remove_link(Site& site, const SiteCall& call) {
  site.shares.remove_link(call.signed_in->person.name, last_segment(call));
  return share_answer(site, call, 200);
}

Response get_archive(Site& site, const SiteCall& call) {
  const auto reader = own_reader(site, call);
  const auto documents = reader ? reader->read_documents() : std::nullopt;
  if (!documents) return no_collection();
  const auto collection = last_segment(call);
  const auto share = site.shares.find(call.signed_in->person.name, collection);
  return zip_answer(site, *documents, share.description, Notes::included, "credits-" + entry_name(collection));
}

Response get_shared(Site& site, const SiteCall& call) { return shared_collection(site, last_segment(call)); }

Response shared_collection(Site& site, const std::string& token) {
  const auto shared = find_shared(site, token);
  const auto collection = shared ? shared_reader(site, *shared).read() : std::nullopt;
  if (!collection) return not_shared();
  return json_answer(200, boost::json::serialize(public_collection(read_object(*collection), shared->description)));
}

Response get_shared_archive(Site& site, const SiteCall& call) {
  const auto shared = find_shared(site, last_segment(call));
  const auto documents = shared ? shared_reader(site, *shared).read_documents() : std::nullopt;
  if (!documents) return not_shared();
  return zip_answer(site, *documents, shared->description, Notes::excluded, "credits");
}

Response forward_collection(Site& site, const SiteCall& call) {
  auto response = forward_as_person(site, call);
  constexpr std::string_view kPrefix = "/site/collections/";
  const auto rest = call.context.path.substr(kPrefix.size());
  if (call.context.has_method("DELETE") && response.status == 200 && rest.find('/') == std::string_view::npos) {
    site.shares.remove(call.signed_in->person.name, std::string(rest));
  }
  return response;
}

}  // namespace tonearm::web
