#pragma once
// The two kinds of XML, parsed.

#include <pugixml.hpp>

#include "edits/edit_clips.h"

namespace tonearm::cli {

/// Elements are nested at most so deep, with the parts that they refer to.
inline constexpr int kEditNestingMax = 64;

/// Calls `visit` for `element` and everything in it. It returns whether to visit what is in its element. Throws
/// EditError if elements are nested too deep.
template <class Visit>
void visit_elements(const pugi::xml_node& element, const Visit& visit, int depth = 0) {
  constexpr int kDepthMax = 512;
  if (depth > kDepthMax) throw EditError("has elements that are nested more than 512 deep");
  if (!visit(element)) return;
  for (const auto& child : element.children()) visit_elements(child, visit, depth + 1);
}

void read_fcpxml(const pugi::xml_node& root, EditClips& clips);
void read_xmeml(const pugi::xml_node& root, EditClips& clips);

}  // namespace tonearm::cli
