#include "similar/pool_digest.h"

#include <array>

#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kBlockBytes = 1U << 20U;
constexpr char kSeparator = ' ';

}  // namespace

std::string to_text(const PoolDigest& digest) { return digest.tracks + kSeparator + digest.terms; }

PoolDigest digest_from(std::string_view text) {
  const auto separator = text.find(kSeparator);
  if (separator == std::string_view::npos) return {};
  return {std::string(text.substr(0, separator)), std::string(text.substr(separator + 1))};
}

void OrderedHash::add(std::uint64_t number) {
  std::array<char, sizeof(number)> bytes;
  for (auto& byte : bytes) {
    byte = static_cast<char>(number & 0xffU);
    number >>= 8U;
  }
  block_.append(bytes.data(), bytes.size());
  if (block_.size() >= kBlockBytes) hash_block();
}

void OrderedHash::add(std::string_view text) {
  block_ += text;
  add(std::uint64_t{text.size()});
}

void OrderedHash::hash_block() {
  const Sha256 hash = hashing_.sha256(block_);
  block_.assign(hash.begin(), hash.end());
}

std::string OrderedHash::finish() {
  const Sha256 hash = hashing_.sha256(block_);
  return ascii::to_hex(std::span(hash).first<sizeof(Sha256) / 2>());
}

std::string digest_of_terms(std::span<const std::uint8_t> terms, Hashing& hashing) {
  OrderedHash hash(hashing);
  for (const auto it : terms) hash.add(std::uint64_t{it});
  return hash.finish();
}

}  // namespace tonearm::builder
