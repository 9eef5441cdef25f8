#pragma once
// What the module imports from its worker. Every call is synchronous for the module, and may not throw into it.

#include <cstddef>
#include <cstdint>

#include "tonearm/read_plan.h"

namespace tonearm::wasm {
class RunningTransaction;

struct FetchedBlock {
  std::uint32_t number = 0;
  char* into = nullptr;
};
static_assert(sizeof(FetchedBlock) == 8 && sizeof(BlockRun) == 8, "read by the worker as numbers of 4 bytes");
}  // namespace tonearm::wasm

#define TONEARM_IMPORT(name) extern "C" __attribute__((import_module("tonearm"), import_name(#name)))

/// Unix time in milliseconds, a whole number.
TONEARM_IMPORT(host_now_ms) double host_now_ms();
TONEARM_IMPORT(host_random) void host_random(std::uint8_t* out, std::size_t size);
TONEARM_IMPORT(host_sha256) void host_sha256(const char* data, std::size_t size, std::uint8_t* digest);
TONEARM_IMPORT(host_hmac_sha256)
void host_hmac_sha256(const char* key, std::size_t key_size, const char* data, std::size_t size, std::uint8_t* digest);
/// Fetches blocks of a snapshot by its number at the worker: each to its address, by way of the runs that hold them
/// all. 0: they are there; 1: they are not, and the call is replayed when they are; negative: this call may need none.
TONEARM_IMPORT(host_fetch)
std::int32_t host_fetch(std::uint32_t snapshot, const tonearm::BlockRun* runs, std::size_t run_count,
                        const tonearm::wasm::FetchedBlock* blocks, std::size_t block_count);
/// Runs one statement on the current object's storage: the size of its rows as a message, or of a text that says why
/// not, negative and less 1. `host_take` gives the bytes.
TONEARM_IMPORT(host_sql)
std::int32_t host_sql(const char* statement, std::size_t size, const char* parameters, std::size_t parameters_size);
/// Writes the bytes that the import before spoke of, all of them.
TONEARM_IMPORT(host_take) void host_take(char* out);
/// Runs a transaction through `tonearm_run_transaction`, committed or rolled back when this returns: 0, or as of
/// `host_sql` where the storage refuses.
TONEARM_IMPORT(host_transact) std::int32_t host_transact(tonearm::wasm::RunningTransaction* transaction);
/// A number for a record of the current object, above 0, below 2^53, which only grows.
TONEARM_IMPORT(host_next_number) double host_next_number();
/// A line for the operator.
TONEARM_IMPORT(host_log) void host_log(const char* text, std::size_t size);

#undef TONEARM_IMPORT
