// Opens a snapshot and reads one track. The view `json` is valid as long as the catalog.
#include <tonearm/catalog.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const auto catalog = tonearm::Catalog::open(std::make_shared<example::SnapshotInMemory>(words[1]), {});
  if (!catalog) return 1;
  const auto position = (*catalog)->find("os-101");
  if (!position) return 1;
  const std::string_view json = (*catalog)->render(std::vector{*position}).front().json;
  return json.find("Rain on a Tin Roof") != std::string_view::npos ? 0 : 1;
}
