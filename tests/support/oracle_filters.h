#pragma once
// The filters of the naive reference, written from the documents alone.

#include <map>
#include <string>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::test::oracle {

/// Names and values of query parameters, not encoded.
using Parameters = std::map<std::string, std::string>;

/// URL-encodes every byte that is no letter or digit.
std::string encode(const std::string& text);
std::string query_string(const Parameters& parameters);
bool contains(const Parameters& parameters, const std::string& name);
/// Splits a comma-separated list.
std::vector<std::string> list(const std::string& value);
/// Returns the parameters that filter tracks by more than their words.
Parameters filters_of(const Parameters& parameters);
bool is_speech(const Track& track);
/// The filters of similar lists.
bool passes_similar(const Track& track, const Parameters& parameters);
/// The filters of searches that do not concern texts.
bool passes_filters(const Track& track, const Parameters& parameters);

}  // namespace tonearm::test::oracle
