#pragma once
// `tonearm-catalog fetch`: brings a snapshot on disk up to date with one in object storage (HOST-55).

#include <cstdint>
#include <string>
#include <vector>

#include "object_store/object_reader.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

struct FetchOptions {
  native::ObjectAccess access;
  std::string output;
  std::vector<std::string> bases;  // further snapshots whose blocks need not be read; missing ones are ignored
  std::string key;                 // a file of trusted keys; empty: any valid snapshot is accepted
  std::uint64_t bytes_max = 0;     // of a snapshot
};

/// Returns a line about the outcome. Throws Failure or std::runtime_error, and then keeps the output as it was; what
/// has arrived stays in the folder OUTPUT.download, so that the next call continues.
std::string fetch_catalog(const FetchOptions& options, Hashing& hashing, Random& random);

}  // namespace tonearm::builder
