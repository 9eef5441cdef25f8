#include "archives/zip_archive.h"

#include <zip.h>

#include <memory>
#include <stdexcept>

#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Source = std::unique_ptr<zip_source_t, FreeSource>;
using Archive = std::unique_ptr<zip_t, DiscardArchive>;

[[noreturn]] void fail(const char* what) { throw std::runtime_error(std::string("cannot write an archive: ") + what); }

void add(zip_t* archive, const ArchiveEntry& entry) {
  Source source(zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0));
  if (!source || zip_file_add(archive, entry.name.c_str(), source.get(), ZIP_FL_ENC_UTF_8) < 0) {
    fail(zip_strerror(archive));
  }
  static_cast<void>(source.release());  // belongs to the archive
}

std::string content_of(zip_source_t* source) {
  zip_stat_t status;
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0) fail("no content");
  std::string bytes(status.size, '\0');
  const auto read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read < 0 || static_cast<std::size_t>(read) != bytes.size()) fail("incomplete content");
  return bytes;
}

}  // namespace

std::string entry_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (!ascii::is_alphanumeric(c) && c != '-' && c != '_' && c != '.') c = '_';
  }
  if (name.empty() || name.front() == '.') name.insert(0, 1, '_');
  return name;
}

std::string zip_archive(const std::vector<ArchiveEntry>& entries) {
  std::size_t size = 0;
  for (const auto& entry : entries) size += entry.bytes.size();
  if (size > kArchiveBytesMax) fail("too large");
  const Source source(zip_source_buffer_create(nullptr, 0, 0, nullptr));
  if (!source) fail("not enough memory");
  zip_source_keep(source.get());  // the archive frees its own reference
  Archive archive(zip_open_from_source(source.get(), ZIP_TRUNCATE, nullptr));
  if (!archive) {
    zip_source_free(source.get());
    fail("not enough memory");
  }
  for (const auto& entry : entries) add(archive.get(), entry);
  if (zip_close(archive.get()) != 0) fail(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closed
  return content_of(source.get());
}

}  // namespace tonearm::web
