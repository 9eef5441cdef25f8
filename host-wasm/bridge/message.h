#pragma once
// Messages between the worker and the core (host-wasm/README.md, "Messages"): fixed-width little-endian numbers and
// bounded byte strings. Pure. Every message is validated.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/calls.h"
#include "tonearm/ports.h"
#include "tonearm/shard_service.h"

namespace tonearm::wasm {

/// The layout version. It changes with every change of a message, an import or an export.
inline constexpr std::uint32_t kLayout = 15;

/// Bounds, in bytes or in fields. A body may be one byte longer than the core accepts, so that the core rejects it.
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kTargetBytesMax = 8 * 1024;
inline constexpr std::size_t kFieldsMax = 100;
inline constexpr std::size_t kFieldNameBytesMax = 256;
inline constexpr std::size_t kFieldValueBytesMax = 32 * 1024;
inline constexpr std::size_t kBodyMessageBytesMax = kBodyBytesMax + 1;
inline constexpr std::size_t kSecretBytesMax = 1024;
inline constexpr std::size_t kUrlBytesMax = 1024;
inline constexpr std::size_t kAdmittedBytesMax = 4096;
inline constexpr std::size_t kIdBytesMax = 256;
inline constexpr std::size_t kMessageBytesMax = std::size_t{8} * 1024 * 1024;

/// The settings of a service.
struct Start {
  std::string key_secret;
  Sha256 admin_token_hash{};
  std::uint32_t answer_cache_bytes = 0;
  std::uint32_t blocks_max = 0;  // snapshot blocks to cache
  std::uint32_t directory_epoch = 0;
  OauthAddresses oauth;
};

/// A request, with its admission ticket if it has been admitted.
struct RequestMessage {
  Admitted admitted;
  Request request;
};

/// A status below 100 is not an answer but the next step of the call.
enum class NextStep : std::uint8_t { here, in_shard, replay, in_shard_writes };

/// The result of a call.
struct Outcome {
  Response response;
  std::string account;  // the account whose shard is next
  std::string state;    // for a later call; opaque to the worker
  std::string records;  // for the shard of the account (ShardCalls::take_records)
};

/// Returns nothing if the message violates the layout or a bound, or has trailing bytes.
std::optional<RequestMessage> decode_request(std::string_view message);
std::optional<Start> decode_start(std::string_view message);
/// Returns a view of the bytes of a message that contains nothing else.
std::optional<std::string_view> decode_bytes(std::string_view message);
std::optional<AccountChange> decode_change(std::string_view message);

std::string encode_outcome(const Outcome& outcome);
/// Encodes Outcome::state: the admission ticket of a call, or a change to replicate.
std::string encode_admitted(const Admitted& admitted);
std::string encode_change(const AccountChange& change);

}  // namespace tonearm::wasm
