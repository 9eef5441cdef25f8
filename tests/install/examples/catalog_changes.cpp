// Gives a snapshot the changes since the version before it, and names the first one.
#include <tonearm/catalog_changes.h>
#include <tonearm/snapshot_writer.h>

int main() {
  using tonearm::ChangeKind;
  tonearm::SnapshotOptions options;
  options.changes = {{"0123456789abcdef", {{ChangeKind::license_changed, "example-1042", "cc0", "cc-by-4.0"}}}};
  const tonearm::CatalogChange& change = options.changes.front().changes.front();
  return tonearm::kChangeNames[static_cast<std::size_t>(change.kind)] == "license_changed" ? 0 : 1;
}
