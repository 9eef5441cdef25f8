#pragma once
// The JSON files of web-demo-server/texts, embedded in the program.

#include <string_view>
#include <vector>

namespace tonearm::web {

struct TranslationFile {
  std::string_view language;
  std::string_view json;
};
const std::vector<TranslationFile>& translation_files();

}  // namespace tonearm::web
