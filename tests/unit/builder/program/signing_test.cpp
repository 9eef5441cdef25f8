#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "files/pinned_file.h"
#include "program/build.h"
#include "program/input_ledger.h"
#include "scratch_folder.h"
#include "signing_files.h"
#include "system/signing_keys.h"
#include "system/system_ports.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::builder {
namespace {

constexpr const char* kLine =
    R"({"id":"x-1","kind":"sfx","title":"Rain","artist":"Ann","duration_s":12,"license":"cc0","source":"a.example"})"
    "\n";

/// The inputs of a build in a folder.
struct Inputs {
  test::ScratchFolder folder;
  BuildOptions options;

  Inputs() {
    std::filesystem::create_directories(folder.path("rows"));
    options.inputs = {{"", folder.write("tracks.jsonl", kLine)}};
    options.policy = folder.write("policy.toml", "taken_down = [\"x-9\"]\n");
    options.synonyms = folder.write("words.txt", "rain, shower\n");
    options.output = folder.path("out.sqlite");
  }
};

std::map<std::string, std::string> manifest_of(const std::string& path) {
  return snapshot_manifest(native::PinnedFile(path));
}

std::string sha256_of(const std::string& bytes) { return ascii::to_hex(native::OpensslHashing().sha256(bytes)); }

}  // namespace

TEST_CASE("BUILD-21: the ledger names each input file with size and hash, without folders of the machine") {
  Inputs with;
  native::OpensslHashing hashing;
  native::Progress silent;
  const InputLedger ledger(with.options, hashing, silent);
  REQUIRE(ledger.entries().size() == 3);
  const auto& input = ledger.entries().front();
  CHECK(input.role == "input");
  CHECK(input.name == "tracks.jsonl");
  CHECK(input.bytes == std::string(kLine).size());
  CHECK(input.sha256 == sha256_of(kLine));
  CHECK(ledger.entries()[1].role == "policy");
  CHECK(ledger.entries()[1].sha256 == sha256_of("taken_down = [\"x-9\"]\n"));
  CHECK(ledger.entries()[2].role == "synonyms");
  CHECK_NOTHROW(ledger.check_unchanged());
  with.folder.write("tracks.jsonl", std::string(kLine) + kLine);
  CHECK_THROWS_WITH_AS(ledger.check_unchanged(), doctest::Contains("was changed while the catalog was built"), Failure);
}

// BUILD-1, BUILD-22
TEST_CASE("the same inputs and key in two folders give the same signed bytes") {
  std::string first;
  for (int run = 0; run < 2; ++run) {
    Inputs with;
    with.options.signing_key = with.folder.write("key.pem", test::private_pem('a'));
    native::OpensslHashing hashing;
    build_catalog(with.options, hashing);
    const auto bytes = with.folder.read("out.sqlite");
    CHECK(bytes.find(with.folder.path()) == std::string::npos);
    if (run == 0) first = bytes;
    CHECK(bytes == first);
    const native::TrustedKeys trusted(with.folder.write("public.pem", test::public_pem('a')));
    CHECK_FALSE(trusted.refusal(signature_claim(native::PinnedFile(with.options.output))));
    const auto manifest = manifest_of(with.options.output);
    CHECK(manifest.at("input.000001") ==
          "{\"role\":\"input\",\"source\":null,\"name\":\"tracks.jsonl\",\"files\":1,\"bytes\":" +
              std::to_string(std::string(kLine).size()) + ",\"sha256\":\"" + sha256_of(kLine) + "\"}");
  }
}

TEST_CASE("BUILD-22: a signature changes no other byte") {
  Inputs with;
  native::OpensslHashing hashing;
  const auto version = build_catalog(with.options, hashing).version;
  const auto unsigned_bytes = with.folder.read("out.sqlite");
  CHECK_FALSE(signature_claim(native::PinnedFile(with.options.output)));
  with.options.signing_key = with.folder.write("key.pem", test::private_pem('a'));
  CHECK(build_catalog(with.options, hashing).version == version);
  const auto bytes = with.folder.read("out.sqlite");
  REQUIRE(bytes.size() == unsigned_bytes.size());
  constexpr std::size_t kFooter = 128;
  constexpr std::size_t kSignature = 104;
  const std::size_t before = bytes.size() - kFooter - kSignature;
  CHECK(bytes.substr(0, before) == unsigned_bytes.substr(0, before));
  CHECK(bytes.substr(bytes.size() - kFooter) == unsigned_bytes.substr(bytes.size() - kFooter));
}

TEST_CASE("BUILD-22: a build that cannot be signed fails at once and leaves the old snapshot unchanged") {
  Inputs with;
  with.folder.write("out.sqlite", "old");
  native::OpensslHashing hashing;
  with.options.signing_key = with.folder.write("key.pem", "no key");
  CHECK_THROWS_WITH(build_catalog(with.options, hashing), doctest::Contains("contains no private key"));
  with.options.signing_key = with.folder.write("key.pem", test::private_pem('a'));
  const auto pipe = with.folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  with.options.inputs = {{"", pipe}};
  CHECK_THROWS_WITH(build_catalog(with.options, hashing), doctest::Contains("is not a regular file"));
  CHECK(with.folder.read("out.sqlite") == "old");
}

TEST_CASE("BUILD-21: files of a source have names relative to its folder; many files have one entry") {
  Inputs with;
  const auto mapping = with.folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "part-*.csv"
format = "csv"
key = "key"
)");
  native::OpensslHashing hashing;
  native::Progress silent;
  with.options.inputs = {{mapping, with.folder.path("rows")}};
  std::vector<std::string> lines;
  const auto write_part = [&](std::size_t i) {
    const auto name = "part-" + std::to_string(100 + i) + ".csv";
    const auto rows = "key\n" + std::to_string(i) + "\n";
    with.folder.write("rows/" + name, rows);
    lines.push_back(sha256_of(rows) + "  " + name + "\n");
  };
  for (std::size_t i = 0; i < InputLedger::kNamedMax; ++i) write_part(i);
  const InputLedger few(with.options, hashing, silent);
  REQUIRE(few.entries().size() == 1 + InputLedger::kNamedMax + 2);
  CHECK(few.entries()[0].role == "mapping");
  CHECK(few.entries()[0].name == "mine.toml");
  CHECK(few.entries()[1].role == "source");
  CHECK(few.entries()[1].source == "mine.toml");
  CHECK(few.entries()[1].name == "part-100.csv");
  write_part(InputLedger::kNamedMax);
  const InputLedger many(with.options, hashing, silent);
  REQUIRE(many.entries().size() == 1 + 1 + 2);
  CHECK(many.entries()[1].name.empty());
  CHECK(many.entries()[1].files == InputLedger::kNamedMax + 1);
  std::sort(lines.begin(), lines.end());
  std::string list;
  for (const auto& line : lines) list += line;
  CHECK(many.entries()[1].sha256 == sha256_of(list));
}

}  // namespace tonearm::builder
