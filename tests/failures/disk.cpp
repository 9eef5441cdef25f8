#include "disk.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "allocations.h"

namespace tonearm::test {

namespace {

/// A file that a connection has open. SQLite allocates its memory.
struct OpenFile : sqlite3_file {
  Disk* disk;
  std::shared_ptr<Disk::File> file;
  bool syncs_folder;  // at the next sync
};

OpenFile& opened(sqlite3_file* file) { return *static_cast<OpenFile*>(file); }
Disk::File& content(sqlite3_file* file) { return *opened(file).file; }

int before(const Disk& disk, Disk::Call call) { return disk.before_call ? disk.before_call(call) : SQLITE_OK; }
int before(sqlite3_file* file, Disk::Call call) { return before(*opened(file).disk, call); }

void apply(std::string& bytes, std::uint64_t offset, std::string_view written) {
  if (bytes.size() < offset + written.size()) bytes.resize(offset + written.size());
  bytes.replace(offset, written.size(), written);
}

void write_bytes(Disk::File& file, std::uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  apply(file.now, offset, bytes);
  file.unsynced.push_back({offset, std::string(bytes)});
}

}  // namespace

/// The functions that SQLite calls.
struct DiskCalls {
  static Disk& disk_of(sqlite3_vfs* vfs) { return *static_cast<Disk*>(vfs->pAppData); }

  static int close(sqlite3_file* file) {
    opened(file).~OpenFile();
    return SQLITE_OK;
  }

  static int read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
    if (const int code = before(file, Disk::Call::read); code != SQLITE_OK) return code;
    const std::string& bytes = content(file).now;
    const auto from = std::min<std::size_t>(static_cast<std::size_t>(offset), bytes.size());
    const std::size_t there = std::min<std::size_t>(static_cast<std::size_t>(size), bytes.size() - from);
    std::memcpy(out, bytes.data() + from, there);
    std::memset(static_cast<char*>(out) + there, 0, static_cast<std::size_t>(size) - there);
    return there == static_cast<std::size_t>(size) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }

  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
    const WithoutAllocationFailures suspended;
    const int code = before(file, Disk::Call::write);
    const auto length = static_cast<std::size_t>(size) / (code == SQLITE_OK ? 1U : 2U);
    write_bytes(content(file), static_cast<std::uint64_t>(offset), {static_cast<const char*>(data), length});
    return code;
  }

  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    const WithoutAllocationFailures suspended;
    if (const int code = before(file, Disk::Call::truncate); code != SQLITE_OK) return code;
    content(file).now.resize(static_cast<std::size_t>(size));
    content(file).unsynced.push_back({static_cast<std::uint64_t>(size), {}});
    return SQLITE_OK;
  }

  static void sync_folder(Disk& disk) {
    for (const auto& [name, file] : disk.files_) file->is_entry_synced = true;
    disk.removed_.clear();
  }

  static int sync(sqlite3_file* file, int /*flags*/) {
    const WithoutAllocationFailures suspended;
    if (const int code = before(file, Disk::Call::sync); code != SQLITE_OK) return code;
    Disk::File& it = content(file);
    it.synced = it.now;
    it.unsynced.clear();
    it.is_entry_synced = true;
    if (std::exchange(opened(file).syncs_folder, false)) sync_folder(*opened(file).disk);
    return SQLITE_OK;
  }

  static int size(sqlite3_file* file, sqlite3_int64* out) {
    if (const int code = before(file, Disk::Call::size); code != SQLITE_OK) return code;
    *out = static_cast<sqlite3_int64>(content(file).now.size());
    return SQLITE_OK;
  }

  static int lock(sqlite3_file* file, int /*level*/) { return before(file, Disk::Call::lock); }
  static int unlock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
  static int is_reserved(sqlite3_file* /*file*/, int* out) {
    *out = 0;
    return SQLITE_OK;
  }
  static int control(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) { return SQLITE_NOTFOUND; }
  // As SQLite's own VFS on Linux.
  static int sector_size(sqlite3_file* /*file*/) { return 4'096; }
  static int characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

  static int map_memory(sqlite3_file* file, int region, int size, int extends, void volatile** out) {
    const WithoutAllocationFailures suspended;
    *out = nullptr;
    if (const int code = before(file, Disk::Call::shared_memory); code != SQLITE_OK) return code;
    auto& regions = content(file).shared_memory;
    const auto index = static_cast<std::size_t>(region);
    while (regions.size() <= index) {
      if (extends == 0) return SQLITE_OK;
      auto* memory = new (std::nothrow) char[static_cast<std::size_t>(size)]();
      if (memory == nullptr) return SQLITE_NOMEM;
      regions.emplace_back(memory);
    }
    *out = regions[index].get();
    return SQLITE_OK;
  }
  static int lock_memory(sqlite3_file* file, int /*offset*/, int /*count*/, int flags) {
    return (flags & SQLITE_SHM_LOCK) != 0 ? before(file, Disk::Call::shared_memory) : SQLITE_OK;
  }
  static void order_memory(sqlite3_file* /*file*/) {}
  static int unmap_memory(sqlite3_file* file, int removes) {
    if (removes != 0) content(file).shared_memory.clear();
    return SQLITE_OK;
  }

  static int open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* flags_out) {
    const WithoutAllocationFailures suspended;
    static const sqlite3_io_methods methods = {2,
                                               &close,
                                               &read,
                                               &write,
                                               &truncate,
                                               &sync,
                                               &size,
                                               &lock,
                                               &unlock,
                                               &is_reserved,
                                               &control,
                                               &sector_size,
                                               &characteristics,
                                               &map_memory,
                                               &lock_memory,
                                               &order_memory,
                                               &unmap_memory,
                                               nullptr,
                                               nullptr};
    file->pMethods = nullptr;
    Disk& disk = disk_of(vfs);
    if (const int code = before(disk, Disk::Call::open); code != SQLITE_OK) return code;
    std::shared_ptr<Disk::File> found;
    if (name == nullptr) {
      found = std::make_shared<Disk::File>();  // temporary
    } else if (const auto it = disk.files_.find(name); it != disk.files_.end()) {
      found = it->second;
    } else {
      if ((flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
      found = std::make_shared<Disk::File>();
      disk.files_.emplace(name, found);
      disk.removed_.erase(name);
    }
    // SQLite's own VFS syncs the folder with a new journal.
    const bool is_journal = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL)) != 0;
    new (file) OpenFile{{&methods}, &disk, std::move(found), is_journal && (flags & SQLITE_OPEN_CREATE) != 0};
    if (flags_out != nullptr) *flags_out = flags;
    return SQLITE_OK;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int syncs_folder) {
    const WithoutAllocationFailures suspended;
    Disk& disk = disk_of(vfs);
    if (const int code = before(disk, Disk::Call::remove); code != SQLITE_OK) return code;
    const auto found = disk.files_.find(name);
    if (found == disk.files_.end()) return SQLITE_IOERR_DELETE_NOENT;
    if (syncs_folder == 0 && found->second->is_entry_synced) disk.removed_.insert(*found);
    disk.files_.erase(found);
    return SQLITE_OK;
  }

  static int access(sqlite3_vfs* vfs, const char* name, int /*flags*/, int* out) {
    Disk& disk = disk_of(vfs);
    if (const int code = before(disk, Disk::Call::access); code != SQLITE_OK) return code;
    *out = disk.files_.count(name) != 0 ? 1 : 0;
    return SQLITE_OK;
  }

  static int full_path(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
  }
  static int randomness(sqlite3_vfs* /*vfs*/, int size, char* out) {
    std::memset(out, 0, static_cast<std::size_t>(size));
    return size;
  }
  static int sleep(sqlite3_vfs* /*vfs*/, int microseconds) { return microseconds; }
  static int current_time(sqlite3_vfs* /*vfs*/, double* out) {
    *out = 2'461'000.5;
    return SQLITE_OK;
  }
  static int last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) { return 0; }
};

Disk::Disk() : name_("disk-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))) {
  vfs_ = std::make_unique<sqlite3_vfs>();
  vfs_->iVersion = 1;
  vfs_->szOsFile = sizeof(OpenFile);
  vfs_->mxPathname = 256;
  vfs_->zName = name_.c_str();
  vfs_->pAppData = this;
  vfs_->xOpen = &DiskCalls::open;
  vfs_->xDelete = &DiskCalls::remove;
  vfs_->xAccess = &DiskCalls::access;
  vfs_->xFullPathname = &DiskCalls::full_path;
  vfs_->xRandomness = &DiskCalls::randomness;
  vfs_->xSleep = &DiskCalls::sleep;
  vfs_->xCurrentTime = &DiskCalls::current_time;
  vfs_->xGetLastError = &DiskCalls::last_error;
  if (sqlite3_vfs_register(vfs_.get(), 0) != SQLITE_OK) throw std::runtime_error("SQLite rejects a VFS");
}

Disk::~Disk() { sqlite3_vfs_unregister(vfs_.get()); }

std::unique_ptr<Disk> Disk::after_kill() const {
  auto disk = std::make_unique<Disk>();
  for (const auto& [name, file] : files_) {
    auto copy = std::make_shared<File>();
    copy->now = file->now;
    copy->synced = file->now;
    copy->is_entry_synced = true;
    disk->files_.emplace(name, std::move(copy));
  }
  return disk;
}

void Disk::lose_power(File& file, SeededRandom& random) {
  constexpr std::size_t kSectorBytes = 512;
  std::string bytes = file.synced;
  const std::uint64_t kept_of_8 = random.below(9);  // 0: nothing that is not synced; 8: everything
  for (const Change& change : file.unsynced) {
    if (change.bytes.empty()) {
      if (random.below(8) < kept_of_8) bytes.resize(change.offset);
      continue;
    }
    for (std::size_t at = 0; at < change.bytes.size(); at += kSectorBytes) {
      if (random.below(8) >= kept_of_8) continue;
      const std::size_t length = std::min(kSectorBytes, change.bytes.size() - at);
      const bool is_torn = kept_of_8 < 8 && random.below(8) == 0;
      apply(bytes, change.offset + at,
            std::string_view(change.bytes).substr(at, is_torn ? random.below(length) : length));
    }
  }
  file.now = bytes;
  file.synced = std::move(bytes);
  file.is_entry_synced = true;
}

std::unique_ptr<Disk> Disk::after_power_loss(SeededRandom& random) const {
  auto disk = std::make_unique<Disk>();
  const auto keep = [&](const std::string& name, const File& file) {
    auto copy = std::make_shared<File>();
    copy->synced = file.synced;
    copy->unsynced = file.unsynced;
    lose_power(*copy, random);
    disk->files_.emplace(name, std::move(copy));
  };
  for (const auto& [name, file] : files_) {
    if (file->is_entry_synced || random.below(2) == 0) keep(name, *file);
  }
  for (const auto& [name, file] : removed_) {
    if (random.below(2) == 0) keep(name, *file);
  }
  return disk;
}

}  // namespace tonearm::test
