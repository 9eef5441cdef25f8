#include "routes/feed_routes.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "json/writer.h"
#include "messages/atom_feed.h"
#include "routes/license_changes.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kEntriesMax = 200;

Response address_answer(Site& site, const SiteCall& call, int status) {
  const auto token = site.feeds.find(call.signed_in->person.name);
  json::Writer out;
  out.begin_object();
  out.key("path");
  token.empty() ? out.null() : out.string("/feeds/" + token);
  out.end_object();
  return json_answer(status, out.take());
}

Response no_feed() { return error_answer(404, "not_found", "This feed does not exist or was removed."); }

/// The address of this site, as the reader reached it.
std::string origin_of(const RequestContext& context) {
  const auto* const host = find_header(context.request.head.headers, "Host");
  return (context.transport == Transport::secure ? "https://" : "http://") + (host == nullptr ? "" : *host);
}

std::string license_name(const boost::json::value& stated) {
  return stated.is_object() ? string_of(stated.at("license").as_object(), "name") : "";
}

AtomEntry entry_of(Site& site, const RequestContext& context, const boost::json::object& change, std::string_view key) {
  const auto track = string_of(change, "track_id");
  const auto collection = string_of(change, "collection_name");
  const auto recorded = license_name(change.at("recorded"));
  const auto current = license_name(change.at("current"));
  AtomEntry entry;
  const auto hash = site.hashing.sha256("entry " + std::string(key));
  entry.id = uuid_urn({reinterpret_cast<const char*>(hash.data()), hash.size()});
  entry.title = track + " in " + collection + (current.empty() ? ": no longer in the catalog" : ": license changed");
  entry.link = origin_of(context) + "/collections/" + string_of(change, "collection_id");
  entry.content =
      "Your license record states " + recorded + ". " +
      (current.empty() ? "The catalog no longer has this track." : "The catalog now states " + current + ".");
  return entry;
}

}  // namespace

Response get_feed_address(Site& site, const SiteCall& call) { return address_answer(site, call, 200); }

Response renew_feed_address(Site& site, const SiteCall& call) {
  site.feeds.set_token(call.signed_in->person, site.sessions.new_token(), site.clock.now_ms());
  return address_answer(site, call, 201);
}

Response remove_feed_address(Site& site, const SiteCall& call) {
  site.feeds.remove(call.signed_in->person.name);
  return address_answer(site, call, 200);
}

Response get_feed(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  const std::string token(context.path.substr(context.path.rfind('/') + 1));
  const auto owner = Sessions::is_token(token) ? site.feeds.find_owner(token) : std::nullopt;
  if (!owner) return no_feed();
  const auto [changes, keys, is_complete] = read_license_changes(site, owner->account, kEntriesMax);
  const auto seen = site.feeds.see(owner->person, {{keys.begin(), keys.end()}, is_complete}, site.clock.now_ms());
  const auto hash = site.hashing.sha256("feed " + token);
  AtomFeed feed{uuid_urn({reinterpret_cast<const char*>(hash.data()), hash.size()}),
                "License changes in your collections",
                "Tonearm",
                owner->created_ms,
                origin_of(context) + std::string(context.path),
                {}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto entry = entry_of(site, context, changes[i].as_object(), keys[i]);
    entry.updated_ms = seen.at(keys[i]);
    feed.updated_ms = std::max(feed.updated_ms, entry.updated_ms);
    feed.entries.push_back(std::move(entry));
  }
  Response response{200, {{"Content-Type", "application/atom+xml; charset=utf-8"}}, atom_document(feed)};
  const auto tag = '"' + ascii::to_hex(site.hashing.sha256(response.body)).substr(0, 32) + '"';
  response.headers.push_back({"ETag", tag});
  response.headers.push_back({"Cache-Control", "private, no-cache"});
  response.headers.push_back({"X-Robots-Tag", "noindex"});
  const auto* const known = find_header(context.request.head.headers, "If-None-Match");
  if (known != nullptr && known->find(tag) != std::string::npos) {
    response.status = 304;
    response.body.clear();
  }
  return response;
}

}  // namespace tonearm::web
