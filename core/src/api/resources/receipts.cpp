// GET /v1/tracks/{id}/receipt and /v1/collections/{id}/receipts (docs/spec/receipts.md).

#include "api/answers/receipt_texts.h"
#include "api/resources/handlers.h"
#include "api/resources/tracks.h"
#include "table/state_lines.h"

namespace tonearm::api {
namespace {

Error not_signed() {
  return {ErrorCode::not_signed, "The catalog is not signed, so no receipt can prove what it states."};
}

}  // namespace

Answer answer_receipt(Call& call, const table::TrackArguments& arguments) {
  const auto position = find_track(call, arguments.id);
  if (!position) return position.error();
  if (!call.catalog->signature()) return not_signed();
  if (auto fresh = not_modified(call)) return *fresh;
  call.result_count = 1;
  return json_response(200, receipt_texts(*call.catalog, {&*position, 1}, call.hashing).front());
}

Answer answer_receipts(Call& call, const table::CollectionArguments& arguments) {
  const auto receipts = call.collections.receipts(call.admitted.account, arguments.id);
  if (!receipts) return receipts.error();
  std::string body;
  for (const std::string& receipt : *receipts) body.append(receipt) += '\n';
  call.result_count = static_cast<std::uint32_t>(receipts->size());
  return json_lines_response(std::move(body), "receipts.jsonl");
}

}  // namespace tonearm::api
