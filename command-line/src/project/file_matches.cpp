#include "project/file_matches.h"

#include "output/json_values.h"
#include "text/unicode.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

// CREDIT-12; some bytes are left for what is around the files.
constexpr std::size_t kFilesMax = 100;
constexpr std::size_t kBodyBytesMax = 250 * 1024;
constexpr std::int64_t kWaitSecondsMax = 60;
constexpr int kWaitsMax = 10;

/// The name alone: folders of a project are nobody's business.
std::string file_json(const ProjectFile& file, const Evidence& evidence) {
  json::object asked;
  asked["name"] = text::valid_utf8(file.path.substr(file.path.rfind('/') + 1));
  if (!evidence.sha256.empty()) asked["sha256"] = evidence.sha256;
  if (!evidence.fingerprint.empty()) asked["fingerprint"] = evidence.fingerprint;
  if (evidence.duration_s > 0) asked["duration_s"] = evidence.duration_s;
  return json::serialize(asked);
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
  Batch(const Ask& ask, std::vector<Match>& matches) : ask_(ask), matches_(matches) {}

  void add(std::size_t index, const std::string& file) {
    if (indices_.size() == kFilesMax || body_.size() + file.size() > kBodyBytesMax) flush();
    body_ += (indices_.empty() ? "" : ",") + file;
    indices_.push_back(index);
  }

  void flush() {
    if (indices_.empty()) return;
    const auto answer = ask_({"POST", "/v1/credits/match", R"({"files":[)" + body_ + "]}"});
    if (!answer.is_good()) throw ServerError(error_message(answer));
    const auto read = read_answer(answer.body);
    const auto files = objects_at(read, {"files"});
    const auto* const rows = find(read, {"files"});
    const bool fits = rows != nullptr && rows->is_array() && rows->get_array().size() == indices_.size() &&
                      files.size() == indices_.size();
    if (!fits) throw ServerError("the server did not answer for each file that was asked for");
    for (std::size_t i = 0; i < files.size(); ++i) matches_[indices_[i]] = match_of(*files[i]);
    body_.clear();
    indices_.clear();
  }

 private:
  const Ask& ask_;
  std::vector<Match>& matches_;
  std::string body_;
  std::vector<std::size_t> indices_;
};

}  // namespace

std::vector<Match> match_files(std::span<const ProjectFile> files, std::span<const Evidence> evidence, const Ask& ask) {
  std::vector<Match> matches(files.size());
  Batch batch(ask, matches);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (evidence[i].is_readable) batch.add(i, file_json(files[i], evidence[i]));
  }
  batch.flush();
  return matches;
}

ApiAnswer PatientAsk::operator()(const ApiRequest& request) {
  constexpr int kTooManyRequests = 429;
  constexpr int kUnavailable = 503;
  for (;;) {
    auto answer = ask_(request);
    const bool is_later = answer.status == kTooManyRequests || answer.status == kUnavailable;
    const bool may_wait = answer.retry_after_s > 0 && answer.retry_after_s <= kWaitSecondsMax && waits_ < kWaitsMax;
    if (!is_later || !may_wait) return answer;
    ++waits_;
    wait_(answer.retry_after_s);
  }
}

}  // namespace tonearm::cli
