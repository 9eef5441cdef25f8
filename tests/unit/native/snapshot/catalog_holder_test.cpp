#include "snapshot/catalog_holder.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <vector>

#include "../../catalog/sample_tracks.h"
#include "hostile_snapshots.h"
#include "memory_catalog.h"
#include "scratch_folder.h"
#include "snapshot/catalog_watch.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::native;
using namespace tonearm::test;

namespace {

class KeptLog final : public Log {
 public:
  void info(std::string_view line) override { keep(line); }
  void warning(std::string_view line) override { keep(line); }
  void error(std::string_view line) override { keep(line); }
  void request_error(std::string_view line, std::span<const LogField> /*fields*/) override { error(line); }

  std::size_t count(std::string_view part) const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::count_if(
        lines_.begin(), lines_.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; }));
  }

 private:
  void keep(std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
  }

  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

std::string snapshot_of(int tracks) {
  std::vector<Track> all;
  for (int i = 0; i < tracks; ++i) {
    all.push_back(music("x-" + std::to_string(i), "rain song " + std::to_string(i)));
    all.back().artist = "Artist " + std::to_string(i % 5);
  }
  return snapshot_bytes(all);
}

/// A holder over a path in a temporary folder.
struct Fixture {
  ScratchFolder folder;
  std::string path = folder.path("catalog.sqlite");
  OpensslHashing hashing;
  KeptLog log;
  CatalogHolder holder{path, {}, hashing, log};

  void publish(const std::string& bytes) const { std::filesystem::rename(folder.write("incoming", bytes), path); }
  /// Overwrites bytes of the file in place.
  void write_in_place(std::size_t at, const std::string& bytes) const {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    REQUIRE(::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at)) == static_cast<ssize_t>(bytes.size()));
    ::close(file);
  }
  /// Does the same and restores the modification time.
  void write_unseen(std::size_t at, const std::string& bytes) const {
    struct stat before {};
    REQUIRE(::stat(path.c_str(), &before) == 0);
    write_in_place(at, bytes);
    const std::array<timespec, 2> times{before.st_atim, before.st_mtim};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) == 0);
  }
};

std::size_t offset_of_a_title(const std::string& bytes) {
  const std::size_t offset = bytes.find("\"title\":\"rain") + 9;
  REQUIRE(offset > 9);
  return offset;
}

}  // namespace

// HOST-27
TEST_CASE("a damaged snapshot is never served") {
  Fixture with;
  std::string bytes = snapshot_of(30);
  bytes[offset_of_a_title(bytes)] = 'P';
  with.publish(bytes);
  with.holder.poll();
  CHECK(with.holder.current() == nullptr);
  CHECK(with.log.count("is refused: the snapshot is damaged: a block differs from its hash") == 1);
  with.holder.poll();
  CHECK(with.holder.current() == nullptr);
  CHECK(with.log.count("is refused") == 1);
  with.publish(snapshot_of(31));
  with.holder.poll();
  REQUIRE(with.holder.current() != nullptr);
  CHECK(with.holder.current()->track_count() == 31);
}

// HOST-27
TEST_CASE("a file that is changed in place is detected at once and not served again until its bytes are valid") {
  for (const bool unseen : {false, true}) {
    CAPTURE(unseen);
    Fixture with;
    const std::string bytes = snapshot_of(30);
    const std::size_t offset = offset_of_a_title(bytes);
    with.publish(bytes);
    with.holder.poll();
    const auto served = with.holder.current();
    REQUIRE(served != nullptr);
    CHECK(served->is_unchanged());
    if (unseen) {
      with.write_unseen(offset, "P");
    } else {
      with.write_in_place(offset, "P");
    }
    CHECK_FALSE(served->is_unchanged());
    for (int polls = 0; polls < 3; ++polls) {
      with.holder.poll();
      CHECK(with.holder.current() == nullptr);
    }
    CHECK(with.log.count("was changed in place and is no longer served") == 1);
    with.write_in_place(offset, bytes.substr(offset, 1));
    with.holder.poll();
    REQUIRE(with.holder.current() != nullptr);
    CHECK(with.holder.current()->is_unchanged());
  }
}

// HOST-27
TEST_CASE("a file whose times changed is verified again before it is served") {
  Fixture with;
  with.publish(snapshot_of(30));
  with.holder.poll();
  const auto served = with.holder.current();
  REQUIRE(::chmod(with.path.c_str(), 0600) == 0);
  CHECK_FALSE(served->is_unchanged());
  with.holder.poll();
  REQUIRE(with.holder.current() != nullptr);
  CHECK(with.holder.current() != served);
  CHECK(with.holder.current()->is_unchanged());
}

// HOST-8, HOST-27, SERVICE-9
TEST_CASE("a rename onto the path, or another name, does not change the served snapshot") {
  Fixture with;
  with.publish(snapshot_of(30));
  with.holder.poll();
  const auto first = with.holder.current();
  with.publish(snapshot_of(31));
  CHECK(first->is_unchanged());
  with.holder.poll();
  const auto second = with.holder.current();
  REQUIRE(second != nullptr);
  CHECK(second->track_count() == 31);
  CHECK(first->is_unchanged());
  with.publish("no snapshot at all");
  with.holder.poll();
  with.holder.poll();
  CHECK(with.holder.current() == second);
  CHECK(second->is_unchanged());
  CHECK(with.log.count("changed in place") == 0);
  std::filesystem::remove(with.path);
  with.holder.poll();
  CHECK(with.holder.current() == second);
}

// HOST-27
TEST_CASE("a file with a new name is verified again and dropped if its bytes are invalid") {
  Fixture with;
  const std::string bytes = snapshot_of(30);
  with.publish(bytes);
  with.holder.poll();
  REQUIRE(with.holder.current() != nullptr);
  with.write_unseen(offset_of_a_title(bytes), "P");
  std::filesystem::create_hard_link(with.path, with.folder.path("other"));
  with.holder.poll();
  CHECK(with.holder.current() == nullptr);
  CHECK(with.log.count("is no longer served: the snapshot is damaged: a block differs from its hash") == 1);
}

// HOST-28
TEST_CASE("a path that is not a regular file is refused without blocking") {
  Fixture with;
  REQUIRE(::mkfifo(with.path.c_str(), 0600) == 0);
  with.holder.poll();
  CHECK(with.log.count("is not a regular file but a FIFO") == 1);
  std::filesystem::remove(with.path);
  std::filesystem::create_directory(with.path);
  with.holder.poll();
  CHECK(with.log.count("is not a regular file but a folder") == 1);
  std::filesystem::remove(with.path);
  std::filesystem::create_symlink("/dev/zero", with.path);
  with.holder.poll();
  CHECK(with.log.count("is not a regular file but a device") == 1);
  CHECK(with.holder.current() == nullptr);
}

// HOST-28
TEST_CASE("a hostile snapshot does not replace the served one") {
  Fixture with;
  const std::string sound = snapshot_of(30);
  with.publish(sound);
  with.holder.poll();
  const auto served = with.holder.current();
  REQUIRE(served != nullptr);
  for (const HostileSnapshot& hostile : hostile_snapshots(sound)) {
    if (!hostile.name.ends_with("-fan") || hostile.name == "words-fan") continue;
    CAPTURE(hostile.name);
    with.publish(hostile.bytes);
    with.holder.poll();
    CHECK(with.holder.current() == served);
  }
}

namespace {

/// Calls a function before each hash.
class TellingHashing final : public Hashing {
 public:
  std::function<void()> before_hash;

  Sha256 sha256(std::string_view data) override {
    if (before_hash) before_hash();
    return hashing_.sha256(data);
  }
  Sha256 hmac_sha256(std::string_view key, std::string_view data) override { return hashing_.hmac_sha256(key, data); }

 private:
  OpensslHashing hashing_;
};

}  // namespace

// HOST-9, HOST-28
TEST_CASE("a check is canceled when the program ends") {
  const ScratchFolder folder;
  TellingHashing hashing;
  KeptLog log;
  const std::string path = folder.write("catalog.sqlite", snapshot_of(30));
  CatalogHolder holder(path, {}, hashing, log);
  int hashes = 0;
  hashing.before_hash = [&] {
    ++hashes;
    holder.interrupt();
  };
  holder.poll();
  CHECK(hashes < 4);
  CHECK(holder.current() == nullptr);
  CHECK(log.count("") == 0);
}

// HOST-27
TEST_CASE("a file that changes while it is checked is refused") {
  const ScratchFolder folder;
  TellingHashing hashing;
  KeptLog log;
  const std::string path = folder.write("catalog.sqlite", snapshot_of(30));
  CatalogHolder holder(path, {}, hashing, log);
  hashing.before_hash = [&] { REQUIRE(::chmod(path.c_str(), 0600) == 0); };
  holder.poll();
  CHECK(holder.current() == nullptr);
  CHECK(log.count("is refused: it changed while it was checked") == 1);
  hashing.before_hash = nullptr;
  holder.poll();
  CHECK(holder.current() != nullptr);
}

// HOST-8
TEST_CASE("the watch polls at once and on request") {
  Fixture with;
  with.publish(snapshot_of(30));
  std::promise<void> looked;
  constexpr std::chrono::hours kNever{1'000};
  CatalogWatch watch(with.holder, kNever, [&] { looked.set_value(); });
  looked.get_future().wait();
  REQUIRE(with.holder.current() != nullptr);
  CHECK(with.holder.current()->track_count() == 30);
  with.publish(snapshot_of(31));
  watch.check_now();
  while (with.holder.current()->track_count() != 31) std::this_thread::yield();
}
