#pragma once
// Turns features into int8 vectors: shared features make vectors point in the same direction. Integers only.

#include <vector>

#include "similar/feature_rows.h"
#include "similar/neighbors_scan.h"

namespace tonearm::builder {

/// Returns a vector for each row, all of about the same length (zero for a row without features). The first half of the
/// dimensions are the principal axes of the rows, so that tags that occur together count as similar. The part of a
/// feature that the axes do not express is hashed into the second half. The same rows give the same vectors.
std::vector<Vector> vectors_of(const FeatureRows& rows, std::uint32_t threads);

}  // namespace tonearm::builder
