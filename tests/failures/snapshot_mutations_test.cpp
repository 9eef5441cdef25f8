#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "campaign.h"
#include "fakes.h"
#include "snapshot_readings.h"
#include "system/signing_keys.h"
#include "system/system_ports.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sqlite_snapshot.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

/// Every text has the same hash, so a snapshot with such hashes keeps matching them whatever is changed.
class EqualHashing final : public Hashing {
 public:
  Sha256 sha256(std::string_view /*data*/) override { return {}; }
  Sha256 hmac_sha256(std::string_view /*key*/, std::string_view /*data*/) override { return {}; }
};

/// A snapshot of bytes that the test owns and changes between uses.
class BorrowedSnapshot final : public SqliteSnapshot, public SnapshotFile {
 public:
  explicit BorrowedSnapshot(const std::string& bytes) : bytes_(bytes) {}

  const SnapshotFile& file() const override { return *this; }
  sql::SqliteHandle connect() const override {
    const std::uint64_t size = std::min<std::uint64_t>(database_size(bytes_), bytes_.size());
    if (size == 0) throw Failure("the bytes are no database");
    return sql::open_sqlite_image(std::string_view(bytes_).substr(0, size));
  }
  std::uint64_t size() const override { return bytes_.size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override {
    if (offset > bytes_.size() || size > bytes_.size() - offset) throw std::logic_error("read outside the file");
    return std::string_view(bytes_).substr(offset, size);
  }

 private:
  const std::string& bytes_;
};

/// Changes some bytes of a snapshot, and restores them.
class Mutator {
 public:
  Mutator(const std::string& sound, std::uint64_t seed) : sound_(sound), bytes_(sound), random_(seed) {
    database_bytes_ = database_size(sound);
    std::memcpy(&page_bytes_, sound.data() + 16, 2);
    page_bytes_ = static_cast<std::uint16_t>(page_bytes_ << 8U | page_bytes_ >> 8U);  // big-endian
  }

  const std::string& bytes() const { return bytes_; }
  bool is_changed() const { return bytes_ != sound_; }

  void mutate() {
    const std::uint64_t changes = 1 + random_.below(4);
    for (std::uint64_t i = 0; i < changes; ++i) change();
    if (random_.below(40) == 0) bytes_.resize(random_.below(bytes_.size() + 5'000));
  }
  void restore() {
    if (bytes_.size() != sound_.size()) {
      bytes_ = sound_;
    } else {
      for (const auto& [offset, size] : changed_) bytes_.replace(offset, size, sound_, offset, size);
    }
    changed_.clear();
  }

 private:
  void put(std::size_t offset, std::string_view bytes) {
    if (offset >= bytes_.size()) return;
    const std::size_t size = std::min(bytes.size(), bytes_.size() - offset);
    bytes_.replace(offset, size, bytes.substr(0, size));
    changed_.emplace_back(offset, size);
  }
  template <class Number>
  void put_number(std::size_t offset, Number number) {
    put(offset, {reinterpret_cast<const char*>(&number), sizeof number});
  }
  std::size_t anywhere() { return random_.below(bytes_.size()); }
  std::size_t in_database() { return random_.below(database_bytes_); }
  /// The directory of the sections, the signature and the footer.
  std::size_t in_directory() { return bytes_.size() - 1 - random_.below(std::min<std::size_t>(bytes_.size(), 900)); }

  void change() {
    switch (random_.below(9)) {
      case 0:  // a bit
        return put(anywhere_used(), flipped());
      case 1:  // a byte
        return put(anywhere_used(), std::string(1, static_cast<char>(random_.next())));
      case 2:  // a run
        return put(anywhere_used(), std::string(random_.below(200), static_cast<char>(random_.below(2) * 0xff)));
      case 3: {  // bytes of another place
        const std::size_t from = anywhere();
        return put(anywhere_used(), bytes_.substr(from, random_.below(300)));
      }
      case 4:  // a number of a section
        return put_number(sections_begin() + 4 * random_.below((bytes_.size() - sections_begin()) / 4), number());
      case 5:  // a size or an offset
        return put_number<std::uint64_t>(in_directory() & ~std::size_t{7}, number());
      case 6:  // the head of a page of a b-tree: type, cells, offsets
        return put(page() + random_.below(12), std::string(1 + random_.below(3), static_cast<char>(random_.next())));
      case 7:  // the head of the database
        return put(random_.below(100), std::string(1 + random_.below(4), static_cast<char>(random_.next())));
      default: {  // a page
        const std::size_t from = page();
        return put(page(), bytes_.substr(from, page_bytes_));
      }
    }
  }

  std::string flipped() {
    last_ = std::min(last_, bytes_.size() - 1);
    return std::string(1, static_cast<char>(bytes_[last_] ^ static_cast<char>(1U << random_.below(8))));
  }
  /// Chooses a byte, more often one that is not padding.
  std::size_t anywhere_used() {
    last_ = random_.below(4) == 0 ? in_database() : anywhere();
    for (int tries = 0; tries < 20 && bytes_[last_ % bytes_.size()] == '\0'; ++tries) last_ = anywhere();
    return last_ = std::min(last_, bytes_.size() - 1);
  }
  std::uint32_t number() {
    constexpr std::array<std::uint32_t, 8> kNumbers{0,           1,           2,           0x7fff'ffff,
                                                    0x8000'0000, 0xffff'ffff, 0xffff'fffe, 65'536};
    return random_.below(2) == 0 ? kNumbers[random_.below(kNumbers.size())]
                                 : static_cast<std::uint32_t>(random_.next());
  }
  std::size_t sections_begin() const { return std::min<std::size_t>(database_bytes_, bytes_.size() - 8); }
  std::size_t page() {
    const std::size_t offset = in_database() / page_bytes_ * page_bytes_;
    return offset == 0 ? 100 : offset;  // the first page begins after the head of the database
  }

  const std::string& sound_;
  std::string bytes_;
  SeededRandom random_;
  std::size_t database_bytes_ = 0;
  std::uint16_t page_bytes_ = 0;
  std::size_t last_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> changed_;
};

struct Outcomes {
  std::uint64_t opened = 0;
  std::uint64_t refused = 0;
  std::uint64_t answers = 0;
  std::uint64_t errors = 0;
  std::uint64_t verified = 0;
};

constexpr std::uint64_t kBatch = 500;

/// Reads one mutated snapshot. Whatever is not a Failure propagates.
void read_snapshot(const std::string& bytes, std::uint64_t number, Outcomes& outcomes) {
  const auto snapshot = std::make_shared<const BorrowedSnapshot>(bytes);
  EqualHashing hashing;
  if (number % 16 == 0) {
    (void)verify_snapshot(snapshot, hashing);
    ++outcomes.verified;
  }
  const auto catalog = Catalog::open(snapshot, {});
  if (!catalog) {
    ++outcomes.refused;
    return;
  }
  ++outcomes.opened;
  for (std::size_t i = 0; i < 3; ++i) {
    try {
      (void)readings()[(number + i) % readings().size()].read(**catalog);
      ++outcomes.answers;
    } catch (const Failure&) {
      ++outcomes.errors;
    }
  }
}

/// Runs one batch in this process. Returns the exit code of a child.
int run_batch(const std::string& sound, std::uint64_t seed, Outcomes& outcomes) {
  Mutator mutator(sound, seed);
  for (std::uint64_t number = 0; number < kBatch; ++number) {
    mutator.mutate();
    try {
      read_snapshot(mutator.bytes(), number, outcomes);
    } catch (const std::exception& unexpected) {
      std::fprintf(stderr, "seed %llu, mutation %llu: %s\n", static_cast<unsigned long long>(seed),
                   static_cast<unsigned long long>(number), unexpected.what());
      return 1;
    }
    mutator.restore();
  }
  return 0;
}

/// Runs a batch in a child process, so that a crash or an endless loop ends only the child. Returns whether it ended
/// well.
bool batch_succeeds(const std::string& sound, std::uint64_t seed, Outcomes& outcomes) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60);
    Outcomes mine;
    const int code = run_batch(sound, seed, mine);
    const bool is_written = ::write(pipe[1], &mine, sizeof mine) == sizeof mine;
    ::_exit(is_written ? code : 1);
  }
  ::close(pipe[1]);
  Outcomes theirs;
  const bool has_outcomes = ::read(pipe[0], &theirs, sizeof theirs) == sizeof theirs;
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcomes.opened += theirs.opened;
  outcomes.refused += theirs.refused;
  outcomes.answers += theirs.answers;
  outcomes.errors += theirs.errors;
  outcomes.verified += theirs.verified;
  return has_outcomes && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

// HOST-28. TONEARM_MUTATIONS: how many.
TEST_CASE("no mutation of a snapshot whose hashes match makes a reader crash or hang") {
  const std::uint64_t goal = environment_number("TONEARM_MUTATIONS", 3'000);
  EqualHashing hashing;
  const std::string sound = small_snapshot(hashing);
  Outcomes nothing;
  read_snapshot(sound, 0, nothing);
  REQUIRE(nothing.answers == 3);
  REQUIRE(verify_snapshot(std::make_shared<const BorrowedSnapshot>(sound), hashing).has_value());
  Outcomes outcomes;
  std::uint64_t seed = campaign_seed();
  for (std::uint64_t mutations = 0; mutations < goal; mutations += kBatch, ++seed) {
    CHECK_MESSAGE(batch_succeeds(sound, seed, outcomes), "TONEARM_SEED=", seed, " TONEARM_MUTATIONS=1 repeats it");
  }
  MESSAGE("TONEARM_SEED=", campaign_seed(), ": ", outcomes.opened + outcomes.refused, " mutations of ", sound.size(),
          " bytes: ", outcomes.refused, " refused, ", outcomes.opened, " opened with ", outcomes.answers,
          " answers and ", outcomes.errors, " errors; ", outcomes.verified, " verified");
}

// HOST-27, HOST-28
TEST_CASE("every mutation of a snapshot is found by its hashes") {
  const std::uint64_t goal = environment_number("TONEARM_MUTATIONS", 3'000) / 3;
  const std::uint64_t seed = campaign_seed();
  CAPTURE(seed);
  native::OpensslHashing hashing;
  const std::string sound = small_snapshot(hashing);
  Mutator mutator(sound, seed);
  std::uint64_t found = 0;
  for (std::uint64_t number = 0; number < goal; ++number) {
    CAPTURE(number);
    mutator.mutate();
    if (mutator.is_changed()) {
      const auto catalog = Catalog::open(std::make_shared<const BorrowedSnapshot>(mutator.bytes()), {});
      // The snapshot is unsigned: what looks like a signature is one that matches nothing (HOST-30).
      CHECK((!catalog || !(*catalog)->check_blocks(hashing) || native::alteration((*catalog)->signature())));
      ++found;
    }
    mutator.restore();
  }
  MESSAGE("TONEARM_SEED=", seed, ": ", found, " of ", found, " mutations found");
}
