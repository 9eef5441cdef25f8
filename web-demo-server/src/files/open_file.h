#pragma once
// Files that visitors may read: an open file, and answers with its bytes or a range of them. What is renamed onto a
// file's path while it is read changes nothing for who reads it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::web {

class OpenFile {
 public:
  /// Nothing where there is no regular file that can be read.
  static std::shared_ptr<OpenFile> open(const std::string& path);
  /// A file that lies directly in the folder, whatever the name is: one with a slash, or that begins with a dot, and a
  /// symbolic link are as if they were not there (WEB-12).
  static std::shared_ptr<OpenFile> open_in(const std::string& folder, const std::string& name);

  explicit OpenFile(int descriptor);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// Strong, quotes included; another file on the same path, and another state of the file, has another one.
  const std::string& entity_tag() const { return entity_tag_; }
  /// How many bytes were read. Throws std::runtime_error.
  std::size_t read(std::uint64_t offset, char* out, std::size_t size) const;

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
  std::string entity_tag_;
};

/// A name that OpenFile::open_in would look for.
bool is_plain_name(std::string_view name);

/// By the ending of a name; `application/octet-stream` for what is not known.
std::string_view content_type_of(std::string_view name);

struct FileForm {
  std::string_view content_type;
  std::string_view cache_control;
};

/// 200, 206, 304 or 416 for a GET or HEAD (WEB-13).
Response answer_file(const RequestHead& head, std::shared_ptr<OpenFile> file, const FileForm& form);

}  // namespace tonearm::web
