#pragma once
// The changes of a build by the results of a link check (LINK-4).

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
  /// A track whose page names other licenses.
  struct Difference {
    std::string id;
    std::string license;     // the URL of the track's license
    std::string page_names;  // license URLs, separated by spaces
  };
  std::vector<Difference> differences;
};

/// Writes the members `links` and `license_page_differences` of the report.
void write_link_effects(json::Writer& out, const LinkEffects& effects);
/// Returns a line for each effect with a count.
std::string link_effects_text(const LinkEffects& effects);

}  // namespace tonearm::builder
