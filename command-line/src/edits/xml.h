#pragma once
// What the two kinds of XML share.

#include <pugixml.hpp>

#include "edits/edit_clips.h"

namespace tonearm::cli {

/// How deep elements may be nested, counting the parts that they refer to.
inline constexpr int kEditNestingMax = 64;

/// Reads a whole text as a number. NaN if it is none.
double finite_number(const char* text);

/// Calls `visit` for `element` and everything in it. It returns whether to visit what is in its element. REQUIRES:
/// `check_shape` accepted the document.
template <class Visit>
void visit_elements(const pugi::xml_node& element, const Visit& visit) {
  if (!visit(element)) return;
  for (const auto& child : element.children()) visit_elements(child, visit);
}

void read_fcpxml(const pugi::xml_node& root, EditClips& clips);
void read_xmeml(const pugi::xml_node& root, EditClips& clips);

}  // namespace tonearm::cli
