#pragma once
// The file of an exported state (MOVE-1): JSON Lines with a header and a last line with the SHA-256 of the lines
// before. For one thread at a time.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "admin/backup_file.h"

namespace tonearm::native {

/// Computes the SHA-256 of bytes that are appended in pieces. Throws std::runtime_error.
class RunningSha256 {
 public:
  RunningSha256();
  ~RunningSha256();
  RunningSha256(const RunningSha256&) = delete;
  RunningSha256& operator=(const RunningSha256&) = delete;

  void append(std::string_view bytes);
  /// Returns the digest in hex. Call it last.
  std::string finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Makes a new file, which is there as a whole once it was finished, or not at all (backup_file.h).
class ExportFileWriter {
 public:
  /// `key_secret_sha256`: of the deployment whose keys the file will hold. `made_ms`: Unix milliseconds.
  ExportFileWriter(const std::string& path, std::string_view key_secret_sha256, std::int64_t made_ms);

  /// Throws std::runtime_error, also for an empty line or one with a line break.
  void append(std::string_view line);
  void finish();

  /// In bytes.
  std::uint64_t size() const { return file_.size(); }

 private:
  void write(std::string_view line);

  BackupFile file_;
  RunningSha256 hash_;
  std::uint64_t lines_ = 0;
};

/// Reads an export file, repeatedly if needed. All members throw std::runtime_error that names the file and the line.
class ExportFileReader {
 public:
  /// Verifies that the file is complete and unaltered and that its version is supported.
  explicit ExportFileReader(std::string path);

  const std::string& key_secret_sha256() const { return key_secret_sha256_; }
  const std::string& path() const { return path_; }

  /// Visits each line between the first and the last one in order. `number` counts from 1 in the whole file.
  void read(const std::function<void(std::uint64_t number, const std::string& line)>& visit) const;

 private:
  void read_all(const std::function<void(std::uint64_t number, const std::string& line)>& visit) const;
  void check_header(const std::string& line);
  void check_end(const std::string& line, std::uint64_t lines, const std::string& sha256) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  std::string key_secret_sha256_;
  std::uint64_t lines_ = 0;  // of the whole file
};

}  // namespace tonearm::native
