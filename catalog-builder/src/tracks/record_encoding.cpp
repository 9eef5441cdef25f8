#include "tracks/record_encoding.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "tonearm/result.h"
#include "tonearm/track.h"

namespace tonearm::builder {
namespace {

constexpr unsigned kVarintBits = 7;
constexpr std::uint64_t kMoreFollows = 1U << kVarintBits;

// The bindings name every member in order, so a struct with another number of members does not compile. Each member
// must also be passed on, which tests/unit/builder/tracks checks.

/// Passes each member to `coder`, which writes or fills it. `Structure`: TrackAudio, may be const.
template <class Coder, class Structure>
void code_audio(Coder& coder, Structure& audio) {
  auto& [fingerprint, timbre, file_hashes] = audio;
  coder.code(fingerprint, timbre, file_hashes);
}

/// Does the same for a Track.
template <class Coder, class Structure>
void code_track(Coder& coder, Structure& track) {
  auto& [id, kind, title, artist, description, duration_ms, bpm_hundredths, vocals, key, loudness_hundredths, tags,
         category, energy, tone, loop, quality, license, license_status, credit_requested, credit_as, content_id,
         source, source_page, published, preview_url, original_url, peaks_url, taken_down, matching_title,
         matching_words, audio, neighbors] = track;
  static_cast<void>(neighbors);  // a record of their own: they are computed when all tracks are known
  coder.code(id, kind, title, artist, description, duration_ms, bpm_hundredths, vocals, key, loudness_hundredths, tags,
             category, energy, tone, loop, quality, license, license_status, credit_requested, credit_as, content_id,
             source, source_page, published, preview_url, original_url, peaks_url, taken_down, matching_title,
             matching_words, audio);
}

class Encoder {
 public:
  template <class... Values>
  void code(const Values&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) void put(Number number) {
    if constexpr (sizeof(Number) == 1) {
      bytes_ += static_cast<char>(number);
    } else if constexpr (std::is_signed_v<Number>) {
      const auto wide = std::int64_t{number};
      put_varint((static_cast<std::uint64_t>(wide) << 1U) ^ static_cast<std::uint64_t>(wide >> 63));
    } else {
      put_varint(number);
    }
  }

  void put_varint(std::uint64_t number) {
    for (; number >= kMoreFollows; number >>= kVarintBits) bytes_ += static_cast<char>(number | kMoreFollows);
    bytes_ += static_cast<char>(number);
  }

  void put(const std::string& text) {
    put_varint(text.size());
    bytes_ += text;
  }

  template <class Item>
  void put(const std::vector<Item>& items) {
    put_varint(items.size());
    for (const auto& item : items) put(item);
  }

  template <class Item, std::size_t Size>
  void put(const std::array<Item, Size>& items) {
    for (const auto& item : items) put(item);
  }

  template <class Value>
  void put(const std::optional<Value>& value) {
    put(value.has_value());
    if (value) put(*value);
  }

  void put(const std::shared_ptr<const TrackAudio>& audio) {
    put(audio != nullptr);
    if (audio) code_audio(*this, *audio);
  }

  void put(const Track& track) { code_track(*this, track); }

  std::string bytes_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  template <class... Values>
  void code(Values&... values) {
    (take(values), ...);
  }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::uint8_t take_byte() { return static_cast<std::uint8_t>(take_bytes(1).front()); }

  std::string_view take_bytes(std::size_t count) {
    if (count > bytes_.size()) throw Failure("a record of a temporary file is incomplete");
    const auto taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) void take(Number& number) {
    if constexpr (std::is_same_v<Number, bool>) {
      number = take_byte() != 0;
    } else if constexpr (sizeof(Number) == 1) {
      number = static_cast<Number>(take_byte());
    } else if constexpr (std::is_signed_v<Number>) {
      const auto folded = take_varint();
      number = static_cast<Number>(static_cast<std::int64_t>(folded >> 1U) ^ -static_cast<std::int64_t>(folded & 1U));
    } else {
      number = static_cast<Number>(take_varint());
    }
  }

  std::uint64_t take_varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += kVarintBits) {
      const std::uint64_t byte = take_byte();
      number |= (byte & (kMoreFollows - 1)) << shift;
      if ((byte & kMoreFollows) == 0) break;
    }
    return number;
  }

  /// Each item has at least one byte, so a damaged count allocates no more than the record could contain.
  std::size_t take_count() {
    const auto count = take_varint();
    if (count > bytes_.size()) throw Failure("a record of a temporary file is incomplete");
    return count;
  }

  void take(std::string& text) { text = take_bytes(take_count()); }

  template <class Item>
  void take(std::vector<Item>& items) {
    items.resize(take_count());
    for (auto& item : items) take(item);
  }

  template <class Item, std::size_t Size>
  void take(std::array<Item, Size>& items) {
    for (auto& item : items) take(item);
  }

  template <class Value>
  void take(std::optional<Value>& value) {
    bool has_value = false;
    take(has_value);
    if (has_value) take(value.emplace());
  }

  void take(std::shared_ptr<const TrackAudio>& audio) {
    bool is_measured = false;
    take(is_measured);
    if (!is_measured) return;
    auto measured = std::make_shared<TrackAudio>();
    code_audio(*this, *measured);
    audio = std::move(measured);
  }

  void take(Track& track) { code_track(*this, track); }

  std::string_view bytes_;
};

}  // namespace

template <class Value>
std::string encode(const Value& value) {
  Encoder encoder;
  encoder.code(value);
  return encoder.take();
}

template <class Value>
Value decode(std::string_view bytes) {
  Value value;
  Decoder decoder(bytes);
  decoder.code(value);
  if (!decoder.is_at_end()) throw Failure("a record of a temporary file has more bytes than it should");
  return value;
}

template std::string encode(const Track&);
template std::string encode(const std::vector<std::string>&);
template std::string encode(const std::vector<std::uint32_t>&);
template Track decode(std::string_view);
template std::vector<std::string> decode(std::string_view);
template std::vector<std::uint32_t> decode(std::string_view);

}  // namespace tonearm::builder
