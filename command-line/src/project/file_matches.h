#pragma once
// Asks which tracks files are (CREDIT-12), in as many calls as their evidence needs.

#include <boost/json.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "project/evidence.h"
#include "project/project_files.h"
#include "server/api_client.h"

namespace tonearm::cli {

struct Match {
  std::optional<boost::json::object> track;
  std::string found_by;
  std::int64_t score = 0;
};

/// Asks one call, however the caller waits for a limit. Throws ServerError.
using Ask = std::function<ApiAnswer(const ApiRequest&)>;

/// A match for each file, in their order; files that cannot be read are not asked for. Throws ServerError.
std::vector<Match> match_files(std::span<const ProjectFile> files, std::span<const Evidence> evidence, const Ask& ask);

/// Asks again when the server says so: at most ten times for all calls, and waits a minute at most. `wait`: told the
/// seconds, returns when they are over. Throws ServerError.
class PatientAsk {
 public:
  PatientAsk(Ask ask, std::function<void(std::int64_t seconds)> wait) : ask_(std::move(ask)), wait_(std::move(wait)) {}
  ApiAnswer operator()(const ApiRequest& request);

 private:
  Ask ask_;
  std::function<void(std::int64_t)> wait_;
  int waits_ = 0;
};

}  // namespace tonearm::cli
