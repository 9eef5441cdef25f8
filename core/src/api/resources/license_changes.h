#pragma once
// Comparison of license records with the current catalog, for all collections of an account (COLLECTION-14).

#include "api/requests/call.h"

namespace tonearm::api {

/// Compares collections that were not compared with this version of the catalog yet, and saves the results. One call
/// compares a bounded number of tracks, more than nearly every account has. Does nothing without a catalog, if the
/// catalog cannot be read, or if the state cannot be written.
void update_license_checks(Call& call);

}  // namespace tonearm::api
