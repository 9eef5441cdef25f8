#pragma once
// What every page has around its content: head, navigation, scripts of the built site. Values.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "html/texts.h"
#include "html/writer.h"

namespace tonearm::web {

/// The files of one entry of the built site, as its manifest names them.
struct EntryFiles {
  std::string script;                // a path below /assets; empty: nothing is built
  std::vector<std::string> styles;   // likewise
  std::vector<std::string> modules;  // what the script imports at once
  bool has_icon = false;
};

/// Reads them off Vite's manifest: of the entry, and of what it imports. Names that are no plain files are left out.
EntryFiles read_manifest(std::string_view json, std::string_view entry);

struct PageHead {
  std::string title;        // without the site's name
  std::string description;  // plain text
  std::string canonical;    // an address of the web; empty: none
  std::string image;        // likewise
  /// Further elements of the head.
  std::function<void(html::Writer&)> more = nullptr;
  bool is_indexed = true;
};

struct PageParts {
  PageHead head;
  std::function<void(html::Writer&)> body;
  /// What the page's script reads: a JSON object.
  std::string data;
};

/// A whole page. `search`: what the search box holds.
std::string render_page(const Texts& texts, const EntryFiles& files, const PageParts& parts,
                        std::string_view search = {});

}  // namespace tonearm::web
