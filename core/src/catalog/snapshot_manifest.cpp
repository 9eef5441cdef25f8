#include "catalog/layout.h"
#include "catalog/sections.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm {

std::map<std::string, std::string> snapshot_manifest(const SnapshotFile& file) {
  auto manifest = catalog::read_manifest(file.connect().get());
  manifest["content_hash"] = catalog::to_hex(catalog::Sections(file).content_hash());
  return manifest;
}

}  // namespace tonearm
