#include "catalog/index/layout.h"
#include "catalog/query/search_context.h"
#include "catalog/storage/sections.h"
#include "tonearm/ascii.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm {

std::map<std::string, std::string> snapshot_manifest(const SqliteSnapshot& snapshot) {
  auto manifest = catalog::read_manifest(catalog::connect_untrusted(snapshot).get());
  manifest["content_hash"] = ascii::to_hex(catalog::Sections(snapshot.file()).content_hash());
  return manifest;
}

}  // namespace tonearm
