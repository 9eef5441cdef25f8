// tonearm-cases: runs case files against the core, and writes the transcript for the other hosts.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "case_run.h"
#include "files/pinned_file.h"
#include "program/build.h"
#include "signing_files.h"

namespace tonearm::cases {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> files;  // empty: all files of the folder
  std::string folder = TONEARM_CASES_DIR;
  std::string output;
  bool record = false;
};

/// The transcript that the other hosts replay is that of all files. A run of some files writes it to another folder.
std::string output_of(const Options& options) {
  if (!options.output.empty()) return options.output;
  return options.files.empty() ? TONEARM_CASES_OUTPUT : TONEARM_CASES_OUTPUT "-part";
}

std::vector<std::string> files_of(const Options& options) {
  if (!options.files.empty()) return options.files;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(options.folder)) {
    const auto& path = entry.path();
    if (path.extension() == ".jsonl" && path.filename() != "catalog.jsonl") files.push_back(path.string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Writes the key that signs the snapshot. It is the same in every run, so that receipts are too.
std::string write_signing_key(const Options& options) {
  const auto path = fs::path(options.output) / "catalog.key";
  std::ofstream(path, std::ios::binary) << test::private_pem('a');
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  return path.string();
}

/// Builds the snapshot of catalog.jsonl and opens it.
std::shared_ptr<const Catalog> build_and_open(const Options& options) {
  const auto path = (fs::path(options.output) / "catalog.sqlite").string();
  builder::BuildOptions build;
  build.inputs.push_back({"", (fs::path(options.folder) / "catalog.jsonl").string()});
  build.output = path;
  build.allow_share_alike = true;  // the cases use every license
  build.signing_key = write_signing_key(options);
  build.signed_on = "2026-01-15";
  native::OpensslHashing hashing;
  builder::build_catalog(build, hashing);
  auto opened = Catalog::open(std::make_shared<const native::PinnedFile>(path), {});
  if (!opened) throw std::runtime_error(path + ": " + opened.error().message);
  return *opened;
}

/// Writes the OpenAPI description, which answers are checked with.
void write_openapi(const Options& options, const std::shared_ptr<const Catalog>& catalog) {
  CoreHost host({}, catalog);
  std::ofstream out(fs::path(options.output) / "openapi.json", std::ios::binary);
  out << host.service().handle({{"GET", "/openapi.json", {}}, {}}).body;
}

int run(const Options& options) {
  fs::create_directories(options.output);
  const auto catalog = build_and_open(options);
  write_openapi(options, catalog);
  std::ofstream transcript_file(fs::path(options.output) / "transcript.jsonl", std::ios::binary);
  Transcript transcript(transcript_file);
  Outcome total;
  for (const auto& path : files_of(options)) {
    Outcome outcome;
    try {
      const auto file = read_case_file(path);
      CaseRun run(file, catalog, {std::cerr, &transcript, options.record ? &std::cout : nullptr});
      outcome = run.run();
    } catch (const CaseFileError& error) {
      std::cerr << error.what() << '\n';
      outcome.failed = 1;
    }
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    if (!options.record) {
      std::cout << fs::path(path).filename().string() << ": " << outcome.passed << " steps as expected, "
                << outcome.failed << " not\n";
    }
  }
  transcript_file.close();
  if (!transcript_file) throw std::runtime_error("cannot write the transcript to " + options.output);
  (options.record ? std::cerr : std::cout) << total.passed << " passed, " << total.failed << " failed\n";
  return total.failed == 0 && total.passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace tonearm::cases

int main(int argc, char** argv) {
  tonearm::cases::Options options;
  CLI::App app("Runs case files (tests/cases/README.md) against the core.");
  app.add_option("files", options.files, "case files; default: all files of the folder")->check(CLI::ExistingFile);
  app.add_option("--folder", options.folder, "the folder with catalog.jsonl and the case files")->capture_default_str();
  app.add_option("--output", options.output,
                 "the folder for catalog.sqlite, transcript.jsonl and openapi.json; default: " TONEARM_CASES_OUTPUT
                 ", or with files " TONEARM_CASES_OUTPUT "-part");
  app.add_flag("--record", options.record, "print the steps with their actual answers");
  CLI11_PARSE(app, argc, argv);
  options.output = output_of(options);
  try {
    return tonearm::cases::run(options);
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-cases: " << failure.what() << '\n';
    return 1;
  }
}
