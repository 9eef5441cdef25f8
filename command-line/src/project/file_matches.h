#pragma once
// Matches files with tracks of the server (CREDIT-12), in as many requests as necessary.

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

/// Sends a request and may wait for limits. Throws ServerError.
using Send = std::function<ApiAnswer(const ApiRequest&)>;

/// Returns a match for each file, in their order. Unreadable files are not sent. Throws ServerError.
std::vector<Match> match_files(std::span<const ProjectFile> files, std::span<const Evidence> evidence,
                               const Send& send);

/// Retries requests when the server says so: at most ten times in total, after at most a minute each. `wait` returns
/// after so many seconds. Throws ServerError.
class RetryingClient {
 public:
  RetryingClient(Send send, std::function<void(std::int64_t seconds)> wait)
      : send_(std::move(send)), wait_(std::move(wait)) {}
  ApiAnswer operator()(const ApiRequest& request);

 private:
  Send send_;
  std::function<void(std::int64_t)> wait_;
  int retries_ = 0;
};

}  // namespace tonearm::cli
