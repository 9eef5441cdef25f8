#include "decoding/digest.h"

#include <openssl/evp.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;

class IncrementalDigest {
 public:
  IncrementalDigest() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    check(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void append(std::string_view bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }

  TrackAudio::Sha256 finish() {
    TrackAudio::Sha256 digest{};
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
    return digest;
  }

 private:
  static void check(bool worked) {
    if (!worked) throw Failure("OpenSSL failed to compute a SHA-256");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

TrackAudio::Sha256 sha256_of(std::string_view bytes) {
  IncrementalDigest digest;
  digest.append(bytes);
  return digest.finish();
}

std::optional<TrackAudio::Sha256> sha256_of_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  IncrementalDigest digest;
  std::vector<char> block(kReadBytes);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    digest.append({block.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) return std::nullopt;
  return digest.finish();
}

}  // namespace tonearm::audio
