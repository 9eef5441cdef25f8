#pragma once
// A temporary file of records. It has no name once it is open, so it disappears with the process.

#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::builder {

/// Const calls are safe from any thread while no record is appended.
class RecordFile {
 public:
  /// Creates the file in `folder`. Throws Failure if the folder is not writable.
  explicit RecordFile(std::string folder);
  ~RecordFile();
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&& other) = delete;
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// Returns the position of the record. Throws Failure with the folder if the disk is full or fails.
  std::uint64_t append(std::string_view bytes);
  /// REQUIRES: `append` returned the position. Throws Failure with the folder if the disk fails.
  std::string read(std::uint64_t position) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_short() const;
  void flush();
  std::size_t read_at(std::uint64_t position, char* into, std::size_t size) const;

  std::string folder_;
  int file_ = -1;
  std::uint64_t written_ = 0;  // bytes in the file
  std::string buffer_;         // the bytes after them: whole records
};

}  // namespace tonearm::builder
