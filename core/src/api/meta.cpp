// GET /v1/meta (catalog-api; C5).

#include "api/call.h"
#include "table/answers.h"

namespace tonearm::api {

Answer answer_meta(Call& call) {
  if (auto fresh = not_modified(call)) return *fresh;
  const Value* q = call.values.find("q");
  const std::uint32_t limit = call.values.number_or("limit", table::kMetaLimitDefault);
  return cached_answer(call, [&] {
    const auto creators = call.catalog->creators(q == nullptr ? std::string_view{} : q->text, limit);
    call.result_count = static_cast<std::uint32_t>(creators.size());
    return json_response(200, table::kMetaType, table::MetaView{call.catalog->values(), creators});
  });
}

}  // namespace tonearm::api
