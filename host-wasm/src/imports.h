#pragma once
// What the module imports from its worker. Every call is synchronous and may not throw into the module.

#include <cstddef>
#include <cstdint>

#define TONEARM_IMPORT(name) extern "C" __attribute__((import_module("tonearm"), import_name(#name)))

/// Unix time in milliseconds, a whole number.
TONEARM_IMPORT(host_now_ms) double host_now_ms();
TONEARM_IMPORT(host_random) void host_random(std::uint8_t* out, std::size_t size);
TONEARM_IMPORT(host_sha256) void host_sha256(const char* data, std::size_t size, std::uint8_t* digest);
TONEARM_IMPORT(host_hmac_sha256)
void host_hmac_sha256(const char* key, std::size_t key_size, const char* data, std::size_t size, std::uint8_t* digest);
/// The size of a snapshot in bytes, below 2^53; negative: there is no such file.
TONEARM_IMPORT(host_size) double host_size(std::uint32_t file);
/// Reads `size` bytes from an offset (its low and high 32 bits): how many there were, or a negative number.
TONEARM_IMPORT(host_read)
std::int32_t host_read(std::uint32_t file, std::uint32_t offset_low, std::uint32_t offset_high, void* out,
                       std::uint32_t size);
/// A line for the operator.
TONEARM_IMPORT(host_log) void host_log(const char* text, std::size_t size);

#undef TONEARM_IMPORT
