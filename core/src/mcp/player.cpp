#include "mcp/player.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "mcp/message.h"
#include "text/policy_source.h"

namespace tonearm::mcp {
namespace {

using std::string_view;

constexpr std::array<string_view, 6> kPlayerTools{"search_tracks",  "get_track",      "get_tracks",
                                                  "similar_tracks", "get_collection", "similar_to_collection"};

void write_domains(json::Writer& out, string_view name, const std::vector<std::string>& domains) {
  write_array(out, name, [&] {
    for (const std::string& domain : domains) out.string(domain);
  });
}

std::vector<std::string> with_mirrors(const std::vector<std::string>& origins) {
  std::vector<std::string> domains;
  for (const std::string& origin : origins) {
    for (std::string& domain : text::with_subdomains(origin)) {
      if (std::find(domains.begin(), domains.end(), domain) == domains.end()) domains.push_back(std::move(domain));
    }
  }
  return domains;
}

}  // namespace

bool shows_player(string_view tool) {
  return std::find(kPlayerTools.begin(), kPlayerTools.end(), tool) != kPlayerTools.end();
}

void write_player(json::Writer& out, const MediaOrigins& origins) {
  write_array(out, "contents", [&] {
    out.begin_object();
    out.string("uri", kPlayerUri);
    out.string("mimeType", kAppMediaType);
    out.string("text", player_page());
    write_object(out, "_meta", [&] {
      write_object(out, "ui", [&] {
        write_object(out, "csp", [&] {
          write_domains(out, "connectDomains", origins.peaks);
          write_domains(out, "resourceDomains", with_mirrors(origins.audio));
        });
        out.boolean("prefersBorder", true);
      });
    });
    out.end_object();
  });
}

}  // namespace tonearm::mcp
