#pragma once
// The whole API in one process, for targets whose inputs are requests.

#include <string>
#include <string_view>
#include <vector>

#include "tonearm/http.h"

namespace tonearm::fuzz {

/// Answers a request as an account without limits, which has a collection, and checks the form of the answer. `{c}` in
/// the target is the collection's id. Begins with an empty state again every few thousand requests.
Response checked_answer(Request request);

/// The form of a request in a corpus: a line with method and target, lines "name: value", an empty line, and the body.
Request read_request(std::string_view input);
std::string write_request(const Request& request);

/// Returns the requests of all case files (tests/cases) that `wanted` selects, in that form, each once.
std::vector<std::string> case_requests(bool (*wanted)(const Request& request));

}  // namespace tonearm::fuzz
