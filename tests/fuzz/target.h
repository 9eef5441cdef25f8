#pragma once
// Fuzz targets: functions that get arbitrary bytes, and check what must be true for all of them. A crash, a sanitizer's
// report, a slow input and a broken expectation are failures.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/result.h"

namespace tonearm::fuzz {

struct Target {
  std::string_view name;  // also of its folder in corpus/
  /// Makes inputs to begin with, besides the files of the corpus. May be null.
  std::vector<std::string> (*seeds)();
  /// Ends the process if an expectation is broken. An exception is a failure too.
  void (*run)(std::string_view input);
};

extern const Target kAudio;
extern const Target kBody;
extern const Target kBridge;
extern const Target kCredits;
extern const Target kCursor;
extern const Target kDocuments;
extern const Target kEditLists;
extern const Target kFileNames;
extern const Target kHttp;
extern const Target kLine;
extern const Target kMcp;
extern const Target kQuery;
extern const Target kRows;
extern const Target kSnapshot;
extern const Target kToml;

std::span<const Target* const> targets();
/// Returns null if there is none of this name.
const Target* find_target(std::string_view name);

/// Ends the process with the message unless the condition is true.
void require(bool condition, std::string_view message);

/// Takes the first byte of the input. Returns 0 for an empty input.
unsigned take_byte(std::string_view& input);

/// Writes a file in a folder of this process, and returns its path. It replaces the file of this name.
std::string write_scratch(const std::string& name, std::string_view bytes);
std::string read_scratch(const std::string& name);

/// Returns the content of a file of the source tree, and of all files in a folder of it.
std::string source_file(const std::string& path);
std::vector<std::string> source_files(const std::string& folder);

/// Returns the texts of the corpus of hostile texts.
std::vector<std::string> hostile_texts();

/// Calls `read` and ignores a Failure, by which readers report what is wrong with a file.
template <class Read>
void allow_failure(Read read) {
  try {
    read();
  } catch (const Failure& failure) {
    require(!std::string_view(failure.what()).empty(), "a failure without a reason");
  }
}

}  // namespace tonearm::fuzz
