#pragma once
// What the results of a check of links changed in a build (LINK-4).

#include <cstdint>
#include <string>
#include <vector>

namespace tonearm::json {
class Writer;
}

namespace tonearm::builder {

struct LinkEffects {
  std::uint64_t previews_dropped = 0;
  std::uint64_t originals_dropped = 0;
  std::uint64_t pages_gone = 0;
  std::uint64_t verified = 0;
  /// Tracks whose page names other licenses than theirs, and which.
  struct Difference {
    std::string id;
    std::string license;     // of the track: its address
    std::string page_names;  // the addresses, separated by spaces
  };
  std::vector<Difference> differences;
};

/// As members of the report: `links`, and `license_page_differences`.
void write_link_effects(json::Writer& out, const LinkEffects& effects);
/// A line for each effect that there is.
std::string link_effects_text(const LinkEffects& effects);

}  // namespace tonearm::builder
