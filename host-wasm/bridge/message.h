#pragma once
// Messages between the worker and the core (host-wasm/README.md, "Messages"): fixed-width little-endian numbers and
// bounded byte strings. Pure; what a message says is checked before it is believed.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/calls.h"
#include "tonearm/ports.h"
#include "tonearm/shard_service.h"

namespace tonearm::wasm {

/// The number of the layout. It changes with every change of a message, an import or an export.
inline constexpr std::uint32_t kLayout = 9;

/// Bounds, in bytes or in fields. A body may hold one byte more than the core takes, so that the core is the one
/// to refuse it.
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kTargetBytesMax = 8 * 1024;
inline constexpr std::size_t kFieldsMax = 100;
inline constexpr std::size_t kFieldNameBytesMax = 256;
inline constexpr std::size_t kFieldValueBytesMax = 32 * 1024;
inline constexpr std::size_t kBodyMessageBytesMax = kBodyBytesMax + 1;
inline constexpr std::size_t kSecretBytesMax = 1024;
inline constexpr std::size_t kAdmittedBytesMax = 4096;
inline constexpr std::size_t kIdBytesMax = 256;
inline constexpr std::size_t kMessageBytesMax = std::size_t{8} * 1024 * 1024;

/// What a service is started with.
struct Start {
  std::string key_secret;
  Sha256 admin_token_hash{};
  std::uint32_t answer_cache_bytes = 0;
  std::uint32_t blocks_max = 0;  // of the snapshot, that stay resident
  std::uint32_t directory_epoch = 0;
};

/// A request, with its admission ticket where it was admitted before.
struct RequestMessage {
  Admitted admitted;
  Request request;
};

/// A status below 100 is no answer: the call goes on.
enum class NextStep : std::uint8_t { here, in_shard, replay };

/// What the core says at the end of a call.
struct Outcome {
  Response response;
  std::string account;  // whose shard is meant
  std::string state;    // for a later call, of no interest to the worker
  std::string records;  // for the shard of the account (ShardCalls::take_records)
};

/// Nothing where the message breaks the layout or a bound, or has bytes left over.
std::optional<RequestMessage> decode_request(std::string_view message);
std::optional<Start> decode_start(std::string_view message);
/// The bytes that a message with nothing else holds; they live as long as it.
std::optional<std::string_view> decode_bytes(std::string_view message);
std::optional<AccountChange> decode_change(std::string_view message);

std::string encode_outcome(const Outcome& outcome);
/// Outcome::state of a call that was admitted (its admission ticket), and of a change to be replicated.
std::string encode_admitted(const Admitted& admitted);
std::string encode_change(const AccountChange& change);

}  // namespace tonearm::wasm
