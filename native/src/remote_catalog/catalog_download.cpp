#include "remote_catalog/catalog_download.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "files/publication.h"
#include "files/whole_file.h"
#include "remote_catalog/block_plan.h"
#include "tonearm/ascii.h"

namespace tonearm::native {
namespace {

/// Enough for the hashes of 268 MB.
constexpr std::uint64_t kFirstRead = 128 * 1024;
/// The blocks of one request: 16 MiB.
constexpr std::uint32_t kRunBlocks = 256;

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

std::uint64_t mebibytes(std::uint64_t bytes) { return (bytes + (1U << 20U) - 1) >> 20U; }

/// Returns whether a file was removed.
bool remove_if_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::remove(path, error);
}

/// Returns the permissions of a file, or those that a new file gets.
mode_t mode_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777U;
  const mode_t mask = ::umask(0);  // can only be read by setting it
  ::umask(mask);
  return 0666U & ~mask;
}

std::int64_t unix_time_s() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

/// The bytes of a snapshot on disk.
class SourceFile {
 public:
  explicit SourceFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~SourceFile() {
    if (file_ >= 0) ::close(file_);
  }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  /// Returns false if the block cannot be read.
  bool read(std::uint32_t number, std::string& block) const {
    const auto offset = static_cast<off_t>(std::uint64_t{number} * kBlockBytes);
    return ::pread(file_, block.data(), block.size(), offset) == static_cast<ssize_t>(block.size());
  }

 private:
  int file_;
};

}  // namespace

void fetch_run(ObjectReader& reader, const ObjectVersion& version, const BlockRun& run, BlockFile& file,
               DownloadCounts& counts) {
  std::string block;
  std::uint32_t number = run.first;
  const BodySink sink = [&](std::string_view bytes) {
    counts.bytes += bytes.size();
    while (!bytes.empty()) {
      const auto piece = bytes.substr(0, kBlockBytes - block.size());
      block += piece;
      bytes.remove_prefix(piece.size());
      if (block.size() < kBlockBytes) continue;
      if (!file.put(number, block)) {
        throw Failure("block " + std::to_string(number) + " of the store does not match its hash");
      }
      counts.missing_blocks = file.missing_count();
      ++number;
      block.clear();
    }
  };
  reader.read(version, std::uint64_t{run.first} * kBlockBytes, std::uint64_t{run.count} * kBlockBytes, sink);
}

CatalogDownload::CatalogDownload(DownloadOptions options, Hashing& hashing, Random& random, OnBegin on_begin)
    : options_(std::move(options)),
      hashing_(hashing),
      on_begin_(std::move(on_begin)),
      folder_(options_.folder),
      reader_(options_.access, random, options_.catalog.interrupted),
      checks_file_(options_.checks_file) {}

CatalogDownload::Outcome CatalogDownload::run() {
  const auto current = end_of_file(options_.file);
  auto end = read_end(current);
  if (!end) return note_current();
  const auto version = end->version;
  const auto hashes = read_hashes(*end);
  const std::string new_end(hashes.end());
  auto outcome = Outcome::unchanged;
  if (new_end != current || is_file_damaged()) {
    if (partial_ == nullptr || partial_->hashes().end() != new_end) begin(hashes);
    counts_.missing_blocks = partial_->missing_count();
    copy_blocks();
    if (on_begin_) on_begin_({partial_, version}, reader_);
    fetch_blocks(version);
    check();
    finish();
    outcome = Outcome::replaced;
  }
  checks_file_ = false;
  known_tag_ = version.entity_tag;
  known_end_ = new_end;
  note_current();
  return outcome;
}

CatalogDownload::Outcome CatalogDownload::note_current() {
  counts_.missing_blocks = 0;
  counts_.answered_s = unix_time_s();
  return Outcome::unchanged;
}

bool CatalogDownload::is_file_damaged() const {
  return checks_file_ && has_damaged_block(options_.file, hashing_, options_.catalog.interrupted);
}

std::optional<ObjectEnd> CatalogDownload::read_end(const std::string& current) {
  const bool is_known = !current.empty() && current == known_end_;
  auto end = reader_.read_end(kFirstRead, is_known && !checks_file_ ? known_tag_ : std::string());
  if (end) counts_.bytes += end->bytes.size();
  return end;
}

BlockHashes CatalogDownload::read_hashes(const ObjectEnd& end) {
  const auto& text = options_.access.address.text;
  const auto size = end.version.size;
  if (size > options_.bytes_max) {
    throw StoreRefusal(text + " has " + std::to_string(mebibytes(size)) + " MiB, more than the limit of " +
                       std::to_string(mebibytes(options_.bytes_max)) + " MiB");
  }
  const auto begin = BlockHashes::offset_in(end.bytes, size);
  std::string tail;
  const auto have = size - end.bytes.size();
  if (begin < have) {
    reader_.read(end.version, begin, have - begin, [&](std::string_view bytes) { tail += bytes; });
    counts_.bytes += tail.size();
    tail += end.bytes;
  } else {
    tail = end.bytes.substr(static_cast<std::size_t>(begin - have));
  }
  BlockHashes hashes(std::move(tail), size, hashing_);
  if (options_.rule) {
    if (const auto refusal = options_.rule(hashes.signature())) throw StoreRefusal(text + " is refused: " + *refusal);
  }
  check_rejected(hashes);
  return hashes;
}

/// Another version of the program, or another setting, may accept the snapshot.
std::string CatalogDownload::rejection_of(const BlockHashes& hashes) const {
  return ascii::to_hex(hashing_.sha256(hashes.end())) + ' ' + TONEARM_VERSION +
         (options_.catalog.allow_evaluation ? " allow-evaluation" : "");
}

void CatalogDownload::check_rejected(const BlockHashes& hashes) const {
  if (file_bytes(folder_.rejected()) != rejection_of(hashes)) return;
  throw StoreRefusal(options_.access.address.text + " was rejected before and is not downloaded again (remove " +
                     folder_.rejected() + " to try again)");
}

void CatalogDownload::begin(const BlockHashes& hashes) {
  partial_.reset();
  const auto end = end_of_file(folder_.partial());
  if (!end.empty() && end != hashes.end()) std::filesystem::rename(folder_.partial(), folder_.previous());
  if (end != hashes.end()) make_space(hashes.file_size());
  const auto open_partial = [&] {
    partial_ = std::make_shared<BlockFile>(folder_.partial(), hashes, hashing_, options_.catalog.interrupted);
  };
  try {
    open_partial();
  } catch (const DiskFull&) {
    if (!remove_if_there(folder_.previous())) throw;
    open_partial();
  }
}

void CatalogDownload::make_space(std::uint64_t size) const {
  const auto served = size_of(options_.file);
  if (size + served > options_.disk_bytes_max) {
    throw StoreRefusal(options_.access.address.text + " has " + std::to_string(mebibytes(size)) + " MiB, and " +
                       options_.file + ' ' + std::to_string(mebibytes(served)) + " MiB: more than the limit of " +
                       std::to_string(mebibytes(options_.disk_bytes_max)) + " MiB for both");
  }
  if (size + served + size_of(folder_.previous()) > options_.disk_bytes_max) remove_if_there(folder_.previous());
}

void CatalogDownload::copy_blocks() {
  std::vector<std::string> paths{options_.file};
  paths.insert(paths.end(), options_.bases.begin(), options_.bases.end());
  paths.push_back(folder_.previous());
  std::vector<BlockHashes> hashes;
  std::vector<std::unique_ptr<SourceFile>> files;
  for (const auto& path : paths) {
    auto found = hashes_of_file(path, hashing_);
    if (!found) continue;
    hashes.push_back(*std::move(found));
    files.push_back(std::make_unique<SourceFile>(path));
  }
  std::string block(kBlockBytes, '\0');
  for (const auto& [to, source, from] : plan_copies(partial_->hashes(), hashes)) {
    if (is_interrupted()) throw Failure("the download was interrupted");
    // A block that the source lost is fetched instead.
    if (!partial_->has(to) && files[source]->read(from, block)) static_cast<void>(partial_->put(to, block));
  }
  counts_.missing_blocks = partial_->missing_count();
}

void CatalogDownload::fetch_blocks(const ObjectVersion& version) {
  for (auto run = partial_->next_missing(0, kRunBlocks); run.count > 0;
       run = partial_->next_missing(run.first, kRunBlocks)) {
    if (is_interrupted()) throw Failure("the download was interrupted");
    fetch_run(reader_, version, run, *partial_, counts_);
  }
}

void CatalogDownload::check() {
  partial_->sync();
  const auto opened = open_checked(folder_.partial(), options_.catalog, hashing_, options_.rule);
  if (is_interrupted()) throw Failure("the download was interrupted");
  if (opened) return;
  const auto message = options_.access.address.text + " is refused: " + opened.error().message;
  // Another failure may be over in the next round.
  if (opened.error().code != ErrorCode::internal_error) throw Failure(message);
  if (has_damaged_block(folder_.partial(), hashing_, options_.catalog.interrupted)) {
    partial_.reset();  // the disk lost a block, which the next round reads again
    throw Failure(message);
  }
  publish_file(folder_.rejected(), rejection_of(partial_->hashes()));
  remove_if_there(folder_.partial());
  partial_.reset();
  throw SnapshotRejected(message);
}

void CatalogDownload::finish() {
  if (options_.mode == FileMode::kept) partial_->set_mode(mode_of(options_.file));
  partial_.reset();
  replace_file(folder_.partial(), options_.file);
  remove_if_there(folder_.previous());
  remove_if_there(folder_.rejected());
}

}  // namespace tonearm::native
