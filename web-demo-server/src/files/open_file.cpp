#include "files/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "files/byte_range.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kTypes{{
    {".css", "text/css; charset=utf-8"},
    {".flac", "audio/flac"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".jpg", "image/jpeg"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".m4a", "audio/mp4"},
    {".map", "application/json"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".mp3", "audio/mpeg"},
    {".oga", "audio/ogg"},
    {".ogg", "audio/ogg"},
    {".opus", "audio/ogg"},
    {".png", "image/png"},
    {".sqlite", "application/vnd.sqlite3"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".wav", "audio/wav"},
    {".webp", "image/webp"},
    {".woff2", "font/woff2"},
}};

std::string entity_tag_of(const struct stat& status) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  std::string tag = "\"";
  for (const auto part : {static_cast<std::int64_t>(status.st_ino), static_cast<std::int64_t>(status.st_size),
                          status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec,
                          status.st_ctim.tv_sec * kNanoseconds + status.st_ctim.tv_nsec}) {
    const auto bits = static_cast<std::uint64_t>(part);
    constexpr int kBytes = 8;
    for (int byte = kBytes - 1; byte >= 0; --byte) {
      const auto value = static_cast<std::uint8_t>(bits >> (static_cast<unsigned>(byte) * 8U));
      if (value != 0 || tag.back() != '"') ascii::append_hex(tag, value);
    }
    tag += '-';
  }
  tag.back() = '"';
  return tag;
}

/// A response body read from a range of a file.
class FileRange final : public BodySource {
 public:
  FileRange(std::shared_ptr<OpenFile> file, ByteRange range) : file_(std::move(file)), range_(range) {}
  std::uint64_t size() const override { return range_.size; }
  std::size_t read(std::span<char> out) override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), range_.size - read_));
    if (count == 0) return 0;
    const auto bytes = file_->read(range_.first + read_, out.data(), count);
    if (bytes == 0) throw std::runtime_error("a file was truncated while it was being sent");
    read_ += bytes;
    return bytes;
  }

 private:
  std::shared_ptr<OpenFile> file_;
  ByteRange range_;
  std::uint64_t read_ = 0;
};

/// Compares If-Range with the entity tag. A date never matches, because it is not a strong validator (RFC
/// 9110, 13.1.5).
bool if_range_matches(const RequestHead& head, const std::string& tag) {
  const auto* value = find_header(head.headers, "If-Range");
  return value == nullptr || http_fields::trimmed(*value) == tag;
}

}  // namespace

bool is_plain_name(std::string_view name) {
  const auto is_allowed = [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  return !name.empty() && name.size() <= 255 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

std::string_view content_type_of(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    for (const auto& [ending, type] : kTypes) {
      if (name.substr(dot) == ending) return type;
    }
  }
  return "application/octet-stream";
}

std::shared_ptr<OpenFile> OpenFile::open_regular(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags);
  if (descriptor < 0) return nullptr;
  auto file = std::make_shared<OpenFile>(descriptor);
  return file->entity_tag_.empty() ? nullptr : file;
}

std::shared_ptr<OpenFile> OpenFile::open(const std::string& path) { return open_regular(path, kFlags); }

std::shared_ptr<OpenFile> OpenFile::open_in(const std::string& folder, const std::string& name) {
  return is_plain_name(name) ? open_regular(folder + '/' + name, kFlags | O_NOFOLLOW) : nullptr;
}

OpenFile::OpenFile(int descriptor) : descriptor_(descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  entity_tag_ = entity_tag_of(status);
}

OpenFile::~OpenFile() { close(descriptor_); }

std::size_t OpenFile::read(std::uint64_t offset, char* out, std::size_t size) const {
  const auto count = pread(descriptor_, out, size, static_cast<off_t>(offset));
  if (count < 0) throw std::runtime_error(std::string("cannot read a file: ") + std::strerror(errno));
  return static_cast<std::size_t>(count);
}

Response answer_file(const RequestHead& head, std::shared_ptr<OpenFile> file, const FileHeaders& extra) {
  const auto& tag = file->entity_tag();
  Headers headers{{"ETag", tag}, {"Cache-Control", std::string(extra.cache_control)}, {"Accept-Ranges", "bytes"}};
  const auto* known = find_header(head.headers, "If-None-Match");
  if (known != nullptr && http_fields::matches_entity_tag(*known, tag)) return {304, std::move(headers), {}};
  headers.push_back({"Content-Type", std::string(extra.content_type)});
  const auto size = file->size();
  const auto* field = find_header(head.headers, "Range");
  const bool wants_range = field != nullptr && head.method == "GET" && if_range_matches(head, tag);
  const auto range = wants_range ? read_range(*field, size) : NoRange::whole;
  if (const auto* part = std::get_if<ByteRange>(&range)) {
    headers.push_back({"Content-Range", "bytes " + std::to_string(part->first) + '-' +
                                            std::to_string(part->first + part->size - 1) + '/' + std::to_string(size)});
    return {206, std::move(headers), {}, std::make_shared<FileRange>(std::move(file), *part)};
  }
  if (std::get<NoRange>(range) == NoRange::not_satisfiable) {
    Headers refusal{{"Content-Range", "bytes */" + std::to_string(size)}, {"Cache-Control", "no-store"}};
    return {416, std::move(refusal), {}};
  }
  if (size == 0) return {200, std::move(headers), {}};
  return {200, std::move(headers), {}, std::make_shared<FileRange>(std::move(file), ByteRange{0, size})};
}

}  // namespace tonearm::web
