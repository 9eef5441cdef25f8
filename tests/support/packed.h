#pragma once
// Packed files for tests.

#include <zlib.h>
#include <zstd.h>

#include <string>

namespace tonearm::test {

inline std::string gzipped(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string in = text;
  stream.next_in = static_cast<Bytef*>(static_cast<void*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

}  // namespace tonearm::test
