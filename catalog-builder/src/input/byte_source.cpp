#include "input/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kPackedBytes = 1U << 17U;
/// The window of decompression: 128 MiB, as the zstd program allows by default.
constexpr int kWindowLogMax = 27;

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) throw Failure(path + ": cannot be opened: " + std::strerror(errno));
    struct stat status {};
    if (::fstat(file_, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(file_);
      throw Failure(path + ": is a folder, not a file");
    }
  }
  ~PlainSource() override { ::close(file_); }
  PlainSource(const PlainSource&) = delete;
  PlainSource& operator=(const PlainSource&) = delete;

  std::size_t read(std::span<char> out) override {
    while (true) {
      const ssize_t count = ::read(file_, out.data(), out.size());
      if (count >= 0) {
        bytes_read_ += static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
      }
      if (errno != EINTR) throw Failure(path_ + ": cannot be read: " + std::strerror(errno));
    }
  }

  std::uint64_t compressed_bytes() const override { return bytes_read_; }

 private:
  std::string path_;
  int file_;
  std::uint64_t bytes_read_ = 0;
};

/// Counts decompressed bytes, and stops decompression bombs.
class UnpackGuard {
 public:
  UnpackGuard(std::string path, const UnpackBounds& bounds) : path_(std::move(path)), bounds_(bounds) {}

  std::size_t count(std::size_t unpacked, std::uint64_t packed_total) {
    total_ += unpacked;
    if (total_ > bounds_.bytes_max) {
      throw Failure(path_ + ": decompresses to more than " + std::to_string(bounds_.bytes_max) + " bytes");
    }
    if (total_ > bounds_.free_bytes && total_ / bounds_.ratio_max > packed_total) {
      throw Failure(path_ + ": decompresses to more than " + std::to_string(bounds_.ratio_max) + " times its size");
    }
    return unpacked;
  }

 private:
  std::string path_;
  UnpackBounds bounds_;
  std::uint64_t total_ = 0;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(const std::string& path, const UnpackBounds& bounds)
      : path_(path), file_(path), guard_(path, bounds), packed_(kPackedBytes) {
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw Failure(path + ": not enough memory to decompress it");
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> out) override {
    stream_.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out == out.size()) {
      if (stream_.avail_in == 0 && !refill()) break;
      if (at_member_end_) {  // a file may contain several gzip members
        inflateReset(&stream_);
        at_member_end_ = false;
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        at_member_end_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw Failure(path_ + ": is damaged or not a gzip file");
      }
    }
    return guard_.count(out.size() - stream_.avail_out, file_.compressed_bytes());
  }
  std::uint64_t compressed_bytes() const override { return file_.compressed_bytes(); }

 private:
  bool refill() {
    const auto count = file_.read(packed_);
    if (count == 0) {
      if (!at_member_end_) throw Failure(path_ + ": is truncated: the gzip data ends too early");
      return false;
    }
    stream_.next_in = static_cast<Bytef*>(static_cast<void*>(packed_.data()));
    stream_.avail_in = static_cast<uInt>(count);
    return true;
  }

  std::string path_;
  PlainSource file_;
  UnpackGuard guard_;
  std::vector<char> packed_;
  z_stream stream_{};
  bool at_member_end_ = false;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(const std::string& path, const UnpackBounds& bounds)
      : path_(path),
        file_(path),
        guard_(path, bounds),
        packed_(kPackedBytes),
        stream_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {
    if (!stream_) throw Failure(path + ": not enough memory to decompress it");
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kWindowLogMax);
  }

  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer unpacked{out.data(), out.size(), 0};
    while (unpacked.pos == 0) {
      if (input_.pos == input_.size && !refill()) break;
      hint_ = ZSTD_decompressStream(stream_.get(), &unpacked, &input_);
      if (ZSTD_isError(hint_) != 0) throw Failure(path_ + ": is damaged: " + ZSTD_getErrorName(hint_));
    }
    return guard_.count(unpacked.pos, file_.compressed_bytes());
  }
  std::uint64_t compressed_bytes() const override { return file_.compressed_bytes(); }

 private:
  bool refill() {
    const auto count = file_.read(packed_);
    if (count == 0) {
      if (hint_ != 0) throw Failure(path_ + ": is truncated: the zstd data ends too early");
      return false;
    }
    input_ = {packed_.data(), count, 0};
    return true;
  }

  std::string path_;
  PlainSource file_;
  UnpackGuard guard_;
  std::vector<char> packed_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  std::size_t hint_ = 1;  // 0 at the end of a frame
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path, const UnpackBounds& bounds) {
  const std::string_view name(path);
  if (name.ends_with(".gz")) return std::make_unique<GzipSource>(path, bounds);
  if (name.ends_with(".zst")) return std::make_unique<ZstdSource>(path, bounds);
  return std::make_unique<PlainSource>(path);
}

}  // namespace tonearm::builder
