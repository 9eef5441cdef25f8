#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "../../catalog/sample_tracks.h"
#include "memory_catalog.h"
#include "scratch_folder.h"
#include "signing_files.h"
#include "snapshot/catalog_holder.h"
#include "snapshot_surgery.h"
#include "system/signing_keys.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::native;
using namespace tonearm::test;

namespace {

class LastLine final : public Log {
 public:
  void info(std::string_view line) override { last = line; }
  void warning(std::string_view line) override { last = line; }
  void error(std::string_view line) override { last = line; }
  void request_error(std::string_view line, std::span<const LogField> /*fields*/) override { error(line); }
  std::string last;
};

/// A holder that trusts key a.
struct SignedFixture {
  ScratchFolder folder;
  std::string path = folder.path("catalog.sqlite");
  OpensslHashing hashing;
  LastLine log;
  TrustedKeys trusted{folder.write("public.pem", public_pem('a'))};
  CatalogHolder holder{path, {}, hashing, log, [this](const auto& claim) { return trusted.refusal(claim); }};

  /// Makes a snapshot that is signed by the key of that letter, or unsigned.
  std::string snapshot(int tracks, char key) const {
    std::vector<Track> all;
    all.reserve(static_cast<std::size_t>(tracks));
    for (int i = 0; i < tracks; ++i) all.push_back(music("x-" + std::to_string(i), "rain song " + std::to_string(i)));
    if (key == 0) return snapshot_bytes(all);
    const SigningKey signing(folder.write("key.pem", private_pem(key)));
    SnapshotOptions options;
    options.signer = {&signing, "2026-01-15"};
    return snapshot_bytes(all, options);
  }
  /// Puts the snapshot at the path and returns whether it is served.
  bool serves(const std::string& bytes) {
    const auto before = holder.current();
    std::filesystem::rename(folder.write("incoming", bytes), path);
    holder.poll();
    return holder.current() != before;
  }
};

constexpr std::size_t kSignatureBytes = 104;
constexpr std::size_t kSignature = 128 + kSignatureBytes;  // from the end of the file

}  // namespace

TEST_CASE(
    "HOST-30: with a trusted key only snapshots that it signed are served, and a refused one does not replace the old "
    "one") {
  SignedFixture with;
  CHECK_FALSE(with.serves(with.snapshot(30, 0)));
  CHECK(with.log.last.find("is refused: it is not signed") != std::string::npos);
  CHECK_FALSE(with.serves(with.snapshot(30, 'b')));
  CHECK(with.log.last.find("is refused: it is signed with the key ") != std::string::npos);
  REQUIRE(with.serves(with.snapshot(30, 'a')));
  CHECK_FALSE(with.serves(with.snapshot(31, 0)));
  CHECK_FALSE(with.serves(with.snapshot(31, 'b')));
  CHECK(with.holder.current()->track_count() == 30);
  REQUIRE(with.serves(with.snapshot(31, 'a')));
  CHECK(with.holder.current()->track_count() == 31);
}

TEST_CASE("HOST-30: the signature of another file, and content with new hashes under the old signature, are refused") {
  SignedFixture with;
  const std::string good = with.snapshot(30, 'a');
  const std::string other = with.snapshot(29, 'a');
  std::string swapped = good;
  swapped.replace(good.size() - kSignature, kSignatureBytes, other.substr(other.size() - kSignature, kSignatureBytes));
  CHECK_FALSE(with.serves(swapped));
  CHECK(with.log.last.find("its signature does not match its content") != std::string::npos);
  // A forger changes the manifest, recomputes every hash, and keeps the signature.
  std::string forged =
      modified_snapshot(good, "UPDATE manifest SET value = 'https://evil.example' WHERE key = 'site_url'");
  CHECK(with.holder.current() == nullptr);
  CHECK_FALSE(with.serves(forged));
  forged.replace(forged.size() - kSignature, kSignatureBytes, good.substr(good.size() - kSignature, kSignatureBytes));
  CHECK_FALSE(with.serves(forged));
  CHECK(with.log.last.find("its signature does not match its content") != std::string::npos);
  CHECK(with.serves(good));
}

TEST_CASE("HOST-30: an altered or truncated signed snapshot is not served") {
  SignedFixture with;
  const std::string good = with.snapshot(12, 'a');
  // Each region of the file, each byte of its end, and a sample of the rest.
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < good.size() - 2'000; at += 9'973) places.push_back(at);
  for (std::size_t at = good.size() - 700; at < good.size(); at += 3) places.push_back(at);
  for (const std::size_t at : places) {
    CAPTURE(at);
    std::string altered = good;
    altered[at] = static_cast<char>(altered[at] ^ 0x20);
    CHECK_FALSE(with.serves(altered));
    CHECK(with.log.last.find("is refused: ") != std::string::npos);
  }
  for (const std::size_t cut : {std::size_t{1}, std::size_t{128}, kSignature, good.size() / 2}) {
    CHECK_FALSE(with.serves(good.substr(0, good.size() - cut)));
  }
  CHECK_FALSE(with.serves(good + std::string(kSignature, '\0')));
  CHECK(with.serves(good));
}
