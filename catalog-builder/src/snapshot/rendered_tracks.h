#pragma once
// The tracks of a snapshot as JSON, one after the other, in the order of the file.

#include <simdjson.h>

#include <functional>
#include <string>

namespace tonearm::builder {

/// Gives each track, those taken down included; an object lives until its call returns. Throws Failure for a file that
/// is no snapshot of this version, or is damaged.
void each_rendered_track(const std::string& path, const std::function<void(simdjson::dom::object)>& take);

}  // namespace tonearm::builder
