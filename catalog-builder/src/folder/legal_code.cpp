#include "folder/legal_code.h"

#include <algorithm>
#include <array>
#include <boost/regex.hpp>

#include "decoding/digest.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kLegalCodeBytesMax = 40'000;
constexpr std::size_t kLegalCodeBytesMin = 5'000;

struct LegalCode {
  const char* id;
  const char* sha256;  // of its normalized text
};
constexpr std::array<LegalCode, 9> kLegalCodes{
    {{"CC0-1.0", "224b594447681536553f6008b22e4f5d3ba6cf45319cf3448fdf29d2613cdbe8"},
     {"CC-BY-3.0", "68a8887be7ec358ab27efa174400de08d9191ea7ea66949e5216614a66a2a14c"},
     {"CC-BY-4.0", "f6fe656bf8a5cb4bb4af7f8393c8d4a8603c3af916b18643e577c4f8151211b0"},
     {"CC-BY-SA-3.0", "9507cb383daeabe35b26708a6c80409a7830e2af5abf0eda380981e13407bfb8"},
     {"CC-BY-SA-4.0", "0637b2973ec7c65e56f2c2ac2cca3f248612ff90bf5430aa9a0a739be625bf40"},
     {"CC-BY-NC-3.0", "bf960e9e5cd82570f856288b3eb1388340d5efde3c4717b6d17523bec5a11b4e"},
     {"CC-BY-NC-4.0", "88a0e4407aff21c1fe63cec835f4f3920ade8db8d1f963edf4f3cf72c2d4bbc8"},
     {"CC-BY-NC-SA-3.0", "f2c76e3e4c285969a38e86eeb5c1445bd8e3cee010803e463f5dbfdba36cd124"},
     {"CC-BY-NC-SA-4.0", "cbb1a929045af8dea2b366383a354a86787b8192ca9269355cb6211a0f67d044"}}};

/// Normalizes a legal code to letters and digits without URLs, list letters, and the dedication that only some copies
/// of version 4.0 contain.
std::string normalized(const std::string& text) {
  static const boost::regex kAddress(R"((?:https?://|wiki\.)\S+)");
  static const boost::regex kSpace(R"(\s+)");
  static const boost::regex kDedication(
      R"(the text of the creative commons public licenses is dedicated to the public domain under the cc0 public domain dedication\.)");
  static const boost::regex kListLetter(R"((?<=\s)[a-z]\.(?=\s))");
  auto plain = boost::regex_replace(ascii::to_lower(text), kAddress, std::string());
  plain = boost::regex_replace(plain, kSpace, std::string(" "));
  plain = boost::regex_replace(plain, kDedication, std::string(" "));
  plain = boost::regex_replace(plain, kListLetter, std::string());
  std::erase_if(plain, [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
  constexpr std::string_view kMaker = "creativecommons";
  if (plain.starts_with("creativecommonsattribution")) plain.erase(0, kMaker.size());
  return plain;
}

}  // namespace

std::optional<std::string> license_of_legal_code(const std::string& text) {
  if (text.size() < kLegalCodeBytesMin || text.size() > kLegalCodeBytesMax) return std::nullopt;
  const auto hash = ascii::to_hex(audio::sha256_of(normalized(text)));
  const auto* found =
      std::find_if(kLegalCodes.begin(), kLegalCodes.end(), [&](const auto& code) { return code.sha256 == hash; });
  return found == kLegalCodes.end() ? std::nullopt : std::optional<std::string>(found->id);
}

}  // namespace tonearm::builder
