#include "project/file_matches.h"

#include "output/json_values.h"
#include "text/unicode.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

// CREDIT-12, with some bytes for the JSON around the files.
constexpr std::size_t kFilesMax = 100;
constexpr std::size_t kBodyBytesMax = 250 * 1024;
constexpr std::int64_t kWaitSecondsMax = 60;
constexpr int kRetriesMax = 10;

/// Contains only the name, because folders of a project are private.
std::string file_json(const ProjectFile& file, const Evidence& evidence) {
  json::object object;
  object["name"] = text::valid_utf8(file.path.substr(file.path.rfind('/') + 1));
  if (!evidence.sha256.empty()) object["sha256"] = evidence.sha256;
  if (!evidence.fingerprint.empty()) object["fingerprint"] = evidence.fingerprint;
  if (evidence.duration_s > 0) object["duration_s"] = evidence.duration_s;
  return json::serialize(object);
}

Match match_of(const json::object& file) {
  Match match;
  const auto* const track = find(file, {"track"});
  if (track == nullptr || !track->is_object()) return match;
  match.track = track->get_object();
  match.found_by = text_at(file, {"found_by"});
  match.score = number_at(file, {"score"});
  return match;
}

class Batch {
 public:
  Batch(const Send& send, std::vector<Match>& matches) : send_(send), matches_(matches) {}

  void add(std::size_t index, const std::string& file) {
    if (indices_.size() == kFilesMax || body_.size() + file.size() > kBodyBytesMax) flush();
    body_ += (indices_.empty() ? "" : ",") + file;
    indices_.push_back(index);
  }

  void flush() {
    if (indices_.empty()) return;
    const auto answer = send_({"POST", "/v1/credits/match", R"({"files":[)" + body_ + "]}"});
    if (!answer.is_success()) throw ServerError(error_message(answer));
    const auto read = read_answer(answer.body);
    const auto files = objects_at(read, {"files"});
    const auto* const rows = find(read, {"files"});
    const bool fits = rows != nullptr && rows->is_array() && rows->get_array().size() == indices_.size() &&
                      files.size() == indices_.size();
    if (!fits) throw ServerError("the server did not answer for every file");
    for (std::size_t i = 0; i < files.size(); ++i) matches_[indices_[i]] = match_of(*files[i]);
    body_.clear();
    indices_.clear();
  }

 private:
  const Send& send_;
  std::vector<Match>& matches_;
  std::string body_;
  std::vector<std::size_t> indices_;
};

}  // namespace

std::vector<Match> match_files(std::span<const ProjectFile> files, std::span<const Evidence> evidence,
                               const Send& send) {
  std::vector<Match> matches(files.size());
  Batch batch(send, matches);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (evidence[i].is_readable) batch.add(i, file_json(files[i], evidence[i]));
  }
  batch.flush();
  return matches;
}

ApiAnswer RetryingClient::operator()(const ApiRequest& request) {
  constexpr int kTooManyRequests = 429;
  constexpr int kUnavailable = 503;
  for (;;) {
    auto answer = send_(request);
    const bool is_limited = answer.status == kTooManyRequests || answer.status == kUnavailable;
    const bool may_retry =
        answer.retry_after_s > 0 && answer.retry_after_s <= kWaitSecondsMax && retries_ < kRetriesMax;
    if (!is_limited || !may_retry) return answer;
    ++retries_;
    wait_(answer.retry_after_s);
  }
}

}  // namespace tonearm::cli
