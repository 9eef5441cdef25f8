#include "program/input_ledger.h"

#include <algorithm>
#include <filesystem>

#include "decoding/digest.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

namespace fs = std::filesystem;

std::string base_name(const std::string& path) { return text::valid_utf8(fs::path(path).filename().string()); }

/// Returns the path relative to the folder.
std::string name_within(const std::string& folder, const std::string& path) {
  const auto relative = fs::path(path).lexically_normal().lexically_relative(fs::path(folder).lexically_normal());
  const bool is_within = !relative.empty() && *relative.begin() != "..";
  return is_within ? text::valid_utf8(relative.generic_string()) : base_name(path);
}

/// Formats a line like sha256sum: a leading backslash marks an escaped name.
std::string sum_line(const std::string& sum, const std::string& name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '\\') {
      escaped += "\\\\";
    } else if (c == '\n') {
      escaped += "\\n";
    } else if (c == '\r') {
      escaped += "\\r";
    } else {
      escaped += c;
    }
  }
  return (escaped == name ? "" : "\\") + sum + "  " + escaped + "\n";
}

bool is_mapping_file(const std::string& source) { return source.ends_with(".toml"); }

}  // namespace

InputLedger::InputLedger(const BuildOptions& options, Hashing& hashing, native::Progress& progress)
    : hashing_(hashing), progress_(progress), is_signed_(!options.signing_key.empty()) {
  for (const auto& input : options.inputs) {
    if (input.source.empty()) {
      add_file("input", "", base_name(input.path), input.path);
    } else {
      add_source(input);
    }
  }
  if (!options.policy.empty()) add_file("policy", "", base_name(options.policy), options.policy);
  if (!options.take_downs.empty()) add_file("take-downs", "", base_name(options.take_downs), options.take_downs);
  if (!options.links.empty()) add_file("links", "", base_name(options.links), options.links);
  if (options.synonyms) add_file("synonyms", "", base_name(*options.synonyms), *options.synonyms);
}

void InputLedger::add_source(const InputChoice& input) {
  std::string source = input.source;
  if (is_mapping_file(source)) {
    source = base_name(source);
    add_file("mapping", source, source, input.source);
  }
  const auto files = files_of(input);
  if (files.size() <= kNamedMax) {
    for (const auto& file : files) add_file("source", source, name_within(input.path, file), file);
    return;
  }
  std::vector<std::string> lines;  // of sha256sum
  SnapshotInput all{"source", source, "", files.size(), 0, ""};
  for (const auto& file : files) {
    const auto one = hash_file(file);
    all.bytes += one.bytes;
    lines.push_back(sum_line(one.sha256, name_within(input.path, file)));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const auto& line : lines) text += line;
  all.sha256 = ascii::to_hex(hashing_.sha256(text));
  entries_.push_back(std::move(all));
}

void InputLedger::add_file(std::string role, std::string source, std::string name, const std::string& path) {
  auto entry = hash_file(path);
  entry.role = std::move(role);
  entry.source = std::move(source);
  entry.name = std::move(name);
  entries_.push_back(std::move(entry));
}

SnapshotInput InputLedger::hash_file(const std::string& path) {
  SnapshotInput entry;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    if (is_signed_) throw Failure(path + ": is not a regular file, so a signed manifest cannot contain its hash");
    return entry;
  }
  const auto mark = native::mark_of(path);
  try {
    if (mark && mark->size == 0) {  // an empty file cannot be mapped
      entry.sha256 = ascii::to_hex(hashing_.sha256({}));
    } else {
      const native::PinnedFile file(path);
      entry.bytes = file.size();
      // Hashed in blocks, because mapped pages of a large file would count as memory of the program.
      const auto hash = audio::sha256_of_file(path);
      if (!hash) throw std::runtime_error("reading it failed");
      entry.sha256 = ascii::to_hex(*hash);
    }
  } catch (const std::runtime_error& failure) {
    throw Failure(path + ": cannot be opened: " + failure.what());
  }
  if (mark) hashed_files_.push_back({path, *mark});
  progress_.advance(entry.bytes);
  return entry;
}

void InputLedger::check_unchanged() const {
  for (const auto& [path, mark] : hashed_files_) {
    const auto now = native::mark_of(path);
    if (now && now->same_file(mark) && change_between(mark, *now) != native::FileChange::other) continue;
    throw Failure(path + ": was changed while the catalog was built; nothing was published");
  }
}

}  // namespace tonearm::builder
