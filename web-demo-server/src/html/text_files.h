#pragma once
// The files of web-demo-server/texts, compiled in.

#include <string_view>
#include <vector>

namespace tonearm::web {

struct TextFile {
  std::string_view language;
  std::string_view json;
};
const std::vector<TextFile>& text_files();

}  // namespace tonearm::web
