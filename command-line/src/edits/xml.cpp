#include "edits/xml.h"

#include "edits/readers.h"

namespace tonearm::cli {

void read_edit_xml(std::string_view text, EditClips& clips) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) throw EditError(std::string("is not XML: ") + parsed.description());
  const auto root = document.document_element();
  const std::string_view name = root.name();
  if (name == "fcpxml") return read_fcpxml(root, clips);
  if (name == "xmeml") return read_xmeml(root, clips);
  throw EditError("is neither FCPXML nor XML of Final Cut Pro 7");
}

}  // namespace tonearm::cli
