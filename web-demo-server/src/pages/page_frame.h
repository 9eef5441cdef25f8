#pragma once
// The frame of every page: head, navigation, and the scripts of the built site. Values.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "html/translations.h"
#include "html/writer.h"

namespace tonearm::web {

/// The files of one entry of the built site, from its manifest.
struct EntryFiles {
  std::string script;                // a path below /assets; empty if the site is not built
  std::vector<std::string> styles;   // paths, too
  std::vector<std::string> modules;  // static imports of the script, to preload
  bool has_icon = false;
};

/// Reads the files of an entry and of its imports from Vite's manifest. Ignores names that are not plain file names.
EntryFiles read_manifest(std::string_view json, std::string_view entry);

struct PageHead {
  std::string title;        // without the site's name
  std::string description;  // plain text
  std::string canonical;    // a URL; empty: none
  /// Writes additional elements of the head.
  std::function<void(html::Writer&)> write_extra = nullptr;
  bool is_indexed = true;
};

struct PageParts {
  PageHead head;
  std::function<void(html::Writer&)> body;
  /// The JSON object that the page's script reads.
  std::string data;
};

/// Renders a whole page. `search` is the text of the search box.
std::string render_page(const Translations& texts, const EntryFiles& files, const PageParts& parts,
                        std::string_view search = {});

}  // namespace tonearm::web
