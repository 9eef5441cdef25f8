#pragma once
// A search as the state records it.

#include <cstdint>
#include <string>

#include "state/calls/call_log.h"

namespace tonearm::test {

inline state::CallRecord sample_call(const std::string& account, std::int64_t at_ms, int status) {
  state::CallRecord call;
  call.account = account;
  call.key_id = "key_x";
  call.at_ms = at_ms;
  call.method = "GET";
  call.route = "/v1/search";
  call.status = status;
  call.duration_ms = 3;
  call.result_count = 20;
  call.search_text = "rain";
  return call;
}

}  // namespace tonearm::test
