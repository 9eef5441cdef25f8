#pragma once
// An open file, and responses with all or part of it. A file that is renamed onto the same path does not affect
// readers of the old one.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::web {

class OpenFile {
 public:
  /// Returns null if the path is not a readable regular file.
  static std::shared_ptr<OpenFile> open(const std::string& path);
  /// Opens a file directly in the folder. Returns null for names with a slash or a leading dot, and for symbolic links
  /// (WEB-12). `name` may be any untrusted string.
  static std::shared_ptr<OpenFile> open_in(const std::string& folder, const std::string& name);

  explicit OpenFile(int descriptor);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// A strong entity tag with its quotes. It changes when the file is modified or replaced.
  const std::string& entity_tag() const { return entity_tag_; }
  /// Returns the number of bytes read. Throws std::runtime_error.
  std::size_t read(std::uint64_t offset, char* out, std::size_t size) const;

 private:
  static std::shared_ptr<OpenFile> open_regular(const std::string& path, int flags);

  int descriptor_;
  std::uint64_t size_ = 0;
  std::string entity_tag_;
};

/// Returns whether OpenFile::open_in accepts the name.
bool is_plain_name(std::string_view name);

/// Returns the media type for a file extension, or `application/octet-stream` if it is unknown.
std::string_view content_type_of(std::string_view name);

struct FileHeaders {
  std::string_view content_type;
  std::string_view cache_control;
};

/// Answers a GET or HEAD with 200, 206, 304 or 416 (WEB-13).
Response answer_file(const RequestHead& head, std::shared_ptr<OpenFile> file, const FileHeaders& form);

}  // namespace tonearm::web
