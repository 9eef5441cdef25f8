#include "edits/xml.h"

#include <cmath>
#include <cstdlib>

#include "edits/readers.h"

namespace tonearm::cli {
namespace {

/// Whether elements of this name are searched for children by name, again for each use.
bool is_searched(std::string_view name) { return name == "clipitem" || name == "file" || name == "rate"; }

/// Throws EditError for documents that would be read slowly: elements are searched for attributes, and some for
/// children.
void check_shape(const pugi::xml_node& element, int depth = 0) {
  constexpr int kDepthMax = 512;
  constexpr std::ptrdiff_t kAttributesMax = 256;
  constexpr std::size_t kSearchedMax = 1'000;
  if (depth > kDepthMax) throw EditError("has elements that are nested more than 512 deep");
  const auto attributes = element.attributes();
  if (std::distance(attributes.begin(), attributes.end()) > kAttributesMax) {
    throw EditError("has an element with more than 256 attributes");
  }
  std::size_t children = 0;
  for (const auto& child : element.children()) {
    check_shape(child, depth + 1);
    ++children;
  }
  if (children > kSearchedMax && is_searched(element.name())) {
    throw EditError("has a clip with more than 1,000 elements in it");
  }
}

}  // namespace

double finite_number(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  return end != text && *end == '\0' && std::isfinite(number) ? number : TimeRange::kUnknown;
}

void read_edit_xml(std::string_view text, EditClips& clips) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) throw EditError(std::string("is not XML: ") + parsed.description());
  const auto root = document.document_element();
  check_shape(root);
  const std::string_view name = root.name();
  if (name == "fcpxml") return read_fcpxml(root, clips);
  if (name == "xmeml") return read_xmeml(root, clips);
  throw EditError("is neither FCPXML nor XML of Final Cut Pro 7");
}

}  // namespace tonearm::cli
