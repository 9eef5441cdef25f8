#include "report/link_effects.h"

#include <array>
#include <string_view>

#include "json/writer.h"

namespace tonearm::builder {
namespace {

struct CountRow {
  std::string_view key;
  std::string_view text;
  std::uint64_t LinkEffects::*count;
};
constexpr std::array<CountRow, 4> kCounts{{
    {"previews_dropped", "previews that are gone", &LinkEffects::previews_dropped},
    {"originals_dropped", "originals that are gone", &LinkEffects::originals_dropped},
    {"pages_gone", "source pages that are gone", &LinkEffects::pages_gone},
    {"verified", "licenses that their page names", &LinkEffects::verified},
}};

}  // namespace

void write_link_effects(json::Writer& out, const LinkEffects& effects) {
  out.key("links");
  out.begin_object();
  for (const auto& row : kCounts) {
    out.integer(row.key, effects.*row.count);
  }
  out.end_object();
  out.key("license_page_differences");
  out.begin_array();
  for (const auto& one : effects.differences) {
    out.begin_object();
    out.string("id", one.id);
    out.string("license", one.license);
    out.string("page_names", one.page_names);
    out.end_object();
  }
  out.end_array();
}

std::string link_effects_text(const LinkEffects& effects) {
  std::string text;
  for (const auto& row : kCounts) {
    if (effects.*row.count == 0) continue;
    text.append("  ").append(row.text).append(": ").append(std::to_string(effects.*row.count)).append("\n");
  }
  if (!effects.differences.empty()) {
    text += "  pages that name another license: " + std::to_string(effects.differences.size()) + "\n";
  }
  return text;
}

}  // namespace tonearm::builder
