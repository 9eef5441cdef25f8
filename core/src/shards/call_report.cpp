#include "shards/call_report.h"

#include "tonearm/message.h"

namespace tonearm::shards {

namespace {

constexpr std::uint32_t kReportLayout = 1;
constexpr std::uint32_t kCallsMax = 100'000;
constexpr std::size_t kNameBytesMax = 256;
constexpr std::size_t kSearchTextBytesMax = 8 * 1024;

// Flags of a record.
constexpr std::uint32_t kFirstParty = 1;
constexpr std::uint32_t kHasCount = 2;
constexpr std::uint32_t kHasText = 4;

void write_call(MessageWriter& out, const state::CallRecord& call) {
  out.text(call.account);
  out.text(call.key_id);
  out.integer(call.at_ms);
  out.integer(call.number);
  out.text(call.method);
  out.text(call.route);
  out.number(static_cast<std::size_t>(call.status));
  out.integer(call.duration_ms);
  out.number((call.first_party ? kFirstParty : 0U) | (call.result_count ? kHasCount : 0U) |
             (call.search_text ? kHasText : 0U));
  out.number(call.result_count.value_or(0));
  out.text(call.search_text.value_or(std::string()));
}

state::CallRecord read_call(MessageReader& in) {
  state::CallRecord call;
  call.account = in.text(kNameBytesMax);
  call.key_id = in.text(kNameBytesMax);
  call.at_ms = in.integer();
  call.number = in.integer();
  call.method = in.text(kNameBytesMax);
  call.route = in.text(kNameBytesMax);
  call.status = static_cast<int>(in.number());
  call.duration_ms = in.integer();
  const std::uint32_t flags = in.number();
  call.first_party = (flags & kFirstParty) != 0;
  const std::uint32_t result_count = in.number();
  if ((flags & kHasCount) != 0) call.result_count = result_count;
  std::string search_text = in.text(kSearchTextBytesMax);
  if ((flags & kHasText) != 0) call.search_text = std::move(search_text);
  return call;
}

}  // namespace

std::string write_report(std::span<const state::CallRecord> calls) {
  if (calls.empty()) return {};
  MessageWriter out;
  out.number(kReportLayout);
  out.number(calls.size());
  for (const state::CallRecord& call : calls) write_call(out, call);
  return out.take();
}

std::optional<std::vector<state::CallRecord>> read_reports(std::string_view reports) {
  MessageReader in(reports);
  std::vector<state::CallRecord> calls;
  do {
    if (in.number() != kReportLayout) return std::nullopt;
    for (std::uint32_t left = in.count(kCallsMax); left > 0 && !in.is_malformed(); --left) {
      calls.push_back(read_call(in));
    }
    if (in.is_malformed()) return std::nullopt;
  } while (!in.is_complete());
  return calls;
}

}  // namespace tonearm::shards
