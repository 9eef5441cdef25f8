#include "message.h"

#include <algorithm>

namespace tonearm::wasm {
namespace {

/// Reads a message from its begin; after the first fault everything reads as empty and `ended_well` is false.
class Reader {
 public:
  explicit Reader(std::string_view message) : rest_(message) {}

  std::uint32_t number() {
    const auto bytes = take(4);
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
  }

  std::string_view take(std::size_t size) {
    if (size > rest_.size()) faulty_ = true;
    if (faulty_) return {};
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  /// A length and as many bytes.
  std::string text(std::size_t size_max) {
    const std::size_t size = number();
    if (size > size_max) faulty_ = true;
    return std::string(take(size));
  }

  bool faulty() const { return faulty_; }
  bool ended_well() const { return !faulty_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool faulty_ = false;
};

void append_number(std::string& out, std::size_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(static_cast<unsigned char>(value >> shift));
}

void append_text(std::string& out, std::string_view text) {
  append_number(out, text.size());
  out += text;
}

}  // namespace

std::optional<Request> decode_request(std::string_view message) {
  Reader reader(message);
  if (reader.number() != kLayout) return std::nullopt;
  Request request;
  request.head.method = reader.text(kMethodBytesMax);
  request.head.target = reader.text(kTargetBytesMax);
  const auto fields = reader.number();
  if (fields > kFieldsMax) return std::nullopt;
  for (std::uint32_t i = 0; i < fields && !reader.faulty(); ++i) {
    auto name = reader.text(kFieldNameBytesMax);
    request.head.headers.push_back({std::move(name), reader.text(kFieldValueBytesMax)});
  }
  request.body = reader.text(kBodyMessageBytesMax);
  if (!reader.ended_well()) return std::nullopt;
  return request;
}

std::optional<Start> decode_start(std::string_view message) {
  Reader reader(message);
  if (reader.number() != kLayout) return std::nullopt;
  Start start;
  start.key_secret = reader.text(kSecretBytesMax);
  const auto hash = reader.take(start.admin_token_hash.size());
  if (!reader.ended_well()) return std::nullopt;
  std::transform(hash.begin(), hash.end(), start.admin_token_hash.begin(),
                 [](char byte) { return static_cast<std::uint8_t>(byte); });
  return start;
}

std::string encode_answer(const Response& response) {
  std::string fields;
  for (const auto& [name, value] : response.headers) {
    append_text(fields, name);
    append_text(fields, value);
  }
  std::string out;
  out.reserve(24 + fields.size() + response.body.size());
  append_number(out, kLayout);
  append_number(out, 20 + fields.size() + response.body.size());
  append_number(out, static_cast<std::size_t>(response.status));
  append_number(out, response.headers.size());
  out += fields;
  append_text(out, response.body);
  return out;
}

}  // namespace tonearm::wasm
