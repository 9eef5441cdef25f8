// Messages between the worker and the core on the edge, and between instances of the core. The first byte of an input
// selects the reader.

#include "bridge/message.h"
#include "shards/account_replica.h"
#include "shards/call_report.h"
#include "target.h"
#include "tonearm/message.h"
#include "tonearm/sqlite.h"

namespace tonearm::fuzz {
namespace {

enum class Reader : std::uint8_t { request, start, bytes, change, report, replica };
constexpr unsigned kReaders = 6;

std::string seed(Reader reader, std::string message) { return static_cast<char>(reader) + std::move(message); }

std::string ticket() {
  Admitted admitted;
  admitted.account = "acc_0";
  admitted.key_id = "key_0";
  admitted.headers = {{"RateLimit", "a"}};
  return wasm::encode_admitted(admitted);
}

std::string counted_ticket() {
  Admitted admitted;
  admitted.account = "acc_0";
  admitted.counted_message = "search_tracks";
  return wasm::encode_admitted(admitted);
}

std::string request_message(const std::string& admitted) {
  MessageWriter out;
  out.number(wasm::kLayout);
  out.text(admitted);
  out.number(3);
  out.text("POST");
  out.text("/v1/collections");
  out.number(1);
  out.text("CF-Connecting-IP");
  out.text("192.0.2.1");
  out.text("{}");
  return out.take();
}

std::string start_message() {
  MessageWriter out;
  out.number(wasm::kLayout);
  out.text("secret");
  out.bytes(std::string(sizeof(Sha256), 'h'));
  out.number(1'024);
  out.number(16);
  out.number(1);
  return out.take();
}

std::string bytes_message(const std::string& bytes) {
  MessageWriter out;
  out.number(wasm::kLayout);
  out.text(bytes);
  return out.take();
}

std::vector<std::string> message_seeds() {
  state::CallRecord call;
  call.account = "acc_0";
  call.search_text = "rain";
  return {seed(Reader::request, request_message({})),
          seed(Reader::request, request_message(ticket())),
          seed(Reader::request, request_message(counted_ticket())),
          seed(Reader::start, start_message()),
          seed(Reader::bytes, bytes_message("rain")),
          seed(Reader::change, bytes_message(wasm::encode_change({"acc_0", 1, {}}))),
          seed(Reader::report, shards::write_report(std::span(&call, 1)))};
}

void run_bridge_request(std::string_view message) {
  const auto read = wasm::decode_request(message);
  if (!read) return;
  require(read->request.head.headers.size() <= wasm::kFieldsMax, "a message has too many fields");
  require(read->request.body.size() <= wasm::kBodyMessageBytesMax, "a message has too long a body");
}

void run_change(std::string_view message) {
  const auto read = wasm::decode_change(message);
  if (read) require(bytes_message(wasm::encode_change(*read)) == message, "a change has two encodings");
}

void run_report(std::string_view message) {
  const auto read = shards::read_reports(message);
  if (!read) return;
  const auto again = shards::read_reports(shards::write_report(*read));
  require(read->empty() || (again && again->size() == read->size()), "a report is not written as it is read");
}

void run_replica(std::string_view message) {
  static const auto kStore = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  allow_failure([&] { shards::apply_replica(*kStore, message); });
}

void run_bridge(std::string_view input) {
  switch (static_cast<Reader>(take_byte(input) % kReaders)) {
    case Reader::request:
      return run_bridge_request(input);
    case Reader::start:
      wasm::decode_start(input);
      return;
    case Reader::bytes:
      if (const auto bytes = wasm::decode_bytes(input))
        require(bytes->size() < input.size(), "a message has too many bytes");
      return;
    case Reader::change:
      return run_change(input);
    case Reader::report:
      return run_report(input);
    case Reader::replica:
      return run_replica(input);
  }
}

}  // namespace

const Target kBridge{"bridge", message_seeds, run_bridge};

}  // namespace tonearm::fuzz
