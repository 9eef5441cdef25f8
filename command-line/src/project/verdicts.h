#pragma once
// Judges whether the files of a project may be published (CLI-10). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/credits.h"
#include "project/evidence.h"
#include "project/file_matches.h"

namespace tonearm::cli {

enum class Use : std::uint8_t { commercial, non_commercial };
enum class Verdict : std::uint8_t { allowed, not_allowed, unknown };

struct JudgedFile {
  std::string path;
  Verdict verdict = Verdict::unknown;
  std::string reason;              // why it is not allowed or unknown; empty: allowed
  std::vector<std::string> notes;  // other remarks
  Match match;
  std::vector<TimeRange> times{};  // in an edit or film
};

/// The requirements of the user.
struct Requirements {
  Use use = Use::commercial;
  std::int64_t min_score = 0;
};

JudgedFile judge(const ProjectFile& file, const Evidence& evidence, Match match, const Requirements& requirements);

/// Returns "commercial use" or "non-commercial use".
std::string_view text_of(Use use);
/// Returns a name such as "not_allowed".
std::string_view name_of(Verdict verdict);

/// Returns the credit of the track of a file. REQUIRES: the verdict is not unknown.
CreditEntry credit_of(const JudgedFile& file);
/// Returns the credits of the identified tracks, each once, in the order of the files.
std::vector<CreditEntry> credits_of(const std::vector<JudgedFile>& files);

}  // namespace tonearm::cli
