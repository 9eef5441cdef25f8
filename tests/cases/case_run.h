#pragma once
// Runs a case file against the core, and reports the mismatches of each step.

#include <memory>
#include <ostream>

#include "case_file.h"
#include "core_host.h"
#include "transcript.h"

namespace tonearm::cases {

struct Outcome {
  int passed = 0;
  int failed = 0;
};

class CaseRun {
 public:
  struct Reports {
    std::ostream& mismatches;
    Transcript* transcript = nullptr;  // null: none
    std::ostream* record = nullptr;    // the steps with their actual answers, for authors; null: none
  };
  CaseRun(const CaseFile& file, std::shared_ptr<const Catalog> catalog, const Reports& reports);

  Outcome run();

 private:
  bool run_step(const Step& step);
  Request request_of(const Step& step);
  /// Returns the key of the step's account. Creates the account on its first use.
  std::string key_of(const Step& step);
  boost::json::object create(int line, const std::string& target, const std::string& body);
  Response exchange(const Transcript::Exchange& exchange, const Request& request);
  /// Returns false if something to capture was missing.
  bool capture(const Step& step, const Response& response);
  bool is_optional_capture(const Step& step, const std::string& pointer) const;
  void record(const Step& step, const Response& response) const;

  const CaseFile& file_;
  Reports reports_;
  Setup setup_;
  CoreHost host_;
  Captures captures_;
  std::int64_t pending_advance_ms_ = 0;
};

}  // namespace tonearm::cases
