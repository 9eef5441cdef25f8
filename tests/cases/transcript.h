#pragma once
// The transcript of a run: every request and answer, one JSON object per line. Other hosts replay it and must give the
// same answers.

#include <ostream>
#include <string_view>

#include "core_host.h"
#include "tonearm/http.h"

namespace tonearm::cases {

class Transcript {
 public:
  explicit Transcript(std::ostream& out) : out_(out) {}

  /// Starts a case file, with empty state.
  void begin(std::string_view file, bool with_catalog, const Setup& setup);

  struct Exchange {
    int line = 0;
    bool admin = false;
    std::int64_t advance_ms = 0;  // before the request
  };
  /// REQUIRES: bodies and header values are UTF-8.
  void add(const Exchange& exchange, const Request& request, const Response& response);

 private:
  std::ostream& out_;
};

}  // namespace tonearm::cases
