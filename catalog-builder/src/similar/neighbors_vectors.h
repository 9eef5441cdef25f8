#pragma once
// From features to int8 vectors: what tracks share makes them point the same way. Integers only.

#include <vector>

#include "similar/neighbors_scan.h"
#include "similar/track_features.h"

namespace tonearm::builder {

/// A vector for each row, all of about the same length (zero for a row without features). The first half of the
/// dimensions are the axes along which the rows differ most, so that tags that occur together count as alike. The part
/// of a feature that the axes do not express is hashed into the second half. The same rows give the same vectors.
std::vector<Vector> vectors_of(const FeatureRows& rows, std::uint32_t threads);

}  // namespace tonearm::builder
