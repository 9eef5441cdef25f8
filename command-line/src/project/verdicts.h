#pragma once
// Whether the files of a project may be published (CLI-10). Pure, thread-safe.

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
  std::string reason;              // why it is not allowed, or unknown; empty: it is allowed
  std::vector<std::string> notes;  // what else to know
  Match match;
};

/// What the user asks for.
struct Standard {
  Use use = Use::commercial;
  std::int64_t min_score = 0;
};

JudgedFile judge(const ProjectFile& file, const Evidence& evidence, Match match, const Standard& standard);

/// "commercial use"
std::string_view words_of(Use use);
/// "not_allowed"
std::string_view name_of(Verdict verdict);

/// The credits of the tracks that files were judged to be, each once, in the order of the files.
std::vector<CreditEntry> credits_of(const std::vector<JudgedFile>& files);

}  // namespace tonearm::cli
