#include "catalog/layout.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm {

std::map<std::string, std::string> snapshot_manifest(const ConnectSnapshot& connect) {
  return catalog::read_manifest(connect().get());
}

}  // namespace tonearm
