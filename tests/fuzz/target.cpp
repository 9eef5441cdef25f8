#include "target.h"

#include <array>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "scratch_folder.h"

namespace tonearm::fuzz {
namespace {

constexpr std::array<const Target*, 15> kTargets{&kAudio,     &kBody,      &kBridge,    &kCredits,  &kCursor,
                                                 &kDocuments, &kEditLists, &kFileNames, &kHttp,     &kLine,
                                                 &kMcp,       &kQuery,     &kRows,      &kSnapshot, &kToml};

const test::ScratchFolder& scratch() {
  static const test::ScratchFolder kFolder;
  return kFolder;
}

}  // namespace

std::span<const Target* const> targets() { return kTargets; }

const Target* find_target(std::string_view name) {
  for (const Target* target : kTargets) {
    if (target->name == name) return target;
  }
  return nullptr;
}

void require(bool condition, std::string_view message) {
  if (condition) return;
  std::cerr << "fuzz: broken expectation: " << message << std::endl;
  std::abort();
}

unsigned take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<unsigned char>(input.front());
  input.remove_prefix(1);
  return byte;
}

std::string write_scratch(const std::string& name, std::string_view bytes) {
  return scratch().write(name, std::string(bytes));
}

std::string read_scratch(const std::string& name) { return scratch().read(name); }

std::string source_file(const std::string& path) {
  std::ifstream file(std::string(TONEARM_SOURCE_DIR "/") + path, std::ios::binary);
  require(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> source_files(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TONEARM_SOURCE_DIR "/") + folder)) {
    if (entry.is_regular_file()) names.insert(folder + "/" + entry.path().filename().string());
  }
  std::vector<std::string> contents;
  contents.reserve(names.size());
  for (const auto& name : names) contents.push_back(source_file(name));
  return contents;
}

std::vector<std::string> hostile_texts() {
  std::vector<std::string> texts;
  const auto rows = boost::json::parse(source_file("tests/support/hostile_texts.json"));
  for (const auto& row : rows.as_array()) {
    texts.push_back(boost::json::value_to<std::string>(row.at("text")));
  }
  return texts;
}

}  // namespace tonearm::fuzz
