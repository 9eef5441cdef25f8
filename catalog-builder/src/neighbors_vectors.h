#pragma once
// From features to int8 vectors: what tracks share makes them point the same way. Integers only.

#include <vector>

#include "neighbors_scan.h"
#include "track_features.h"

namespace tonearm::builder {

/// A vector for each row, of about the same length (but zero for a row without features). The first half of the
/// dimensions are the axes along which the rows differ most, so that tags which come together count as alike; what the
/// axes do not tell of a feature is scattered over the second half. The same rows give the same vectors.
std::vector<Vector> vectors_of(const FeatureRows& rows, std::uint32_t threads);

}  // namespace tonearm::builder
