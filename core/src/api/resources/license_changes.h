#pragma once
// Which license records the catalog contradicts by now, over all collections of an account (COLLECTION-14).

#include "api/requests/call.h"

namespace tonearm::api {

/// Compares some of the collections that were not compared with this version of the catalog yet, and keeps what comes
/// of it. How many is bounded, by what reading the catalog costs; those of nearly every account are fewer. Does nothing
/// without a catalog; where the catalog cannot be read, or the state takes no writes, nothing is kept.
void compare_some_licenses(Call& call);

}  // namespace tonearm::api
