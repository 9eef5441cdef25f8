#include "state/accounts/counts_message.h"

#include "tonearm/message.h"

namespace tonearm::state {

namespace {

constexpr std::size_t kAccountBytesMax = 64;

}  // namespace

std::string write_unwritten(const CountsOfAccount& counted) {
  MessageWriter out;
  out.text(counted.account);
  for (const CallCounts::Count& count : counted.counts.windows) {
    out.integer(count.began_ms);
    out.number(count.calls);
  }
  return out.take();
}

std::optional<CountsOfAccount> read_unwritten(std::string_view bytes) {
  MessageReader in(bytes);
  CountsOfAccount counted;
  counted.account = in.text(kAccountBytesMax);
  for (CallCounts::Count& count : counted.counts.windows) {
    count.began_ms = in.integer();
    count.calls = in.number();
  }
  if (!in.is_complete()) return std::nullopt;
  return counted;
}

std::optional<CallCounts> find_unwritten(UnwrittenCounts* counts, const std::string& account) {
  const auto counted = counts == nullptr ? std::nullopt : read_unwritten(counts->read());
  if (!counted || counted->account != account) return std::nullopt;
  return counted->counts;
}

}  // namespace tonearm::state
