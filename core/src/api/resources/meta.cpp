// GET /v1/meta (docs/spec/meta.md).

#include "api/resources/handlers.h"
#include "table/answers.h"

namespace tonearm::api {

Answer answer_meta(Call& call, const table::MetaArguments& arguments) {
  if (auto fresh = not_modified(call)) return *fresh;
  return cached_answer(call, [&] {
    const auto creators = call.catalog->creators(arguments.q, arguments.limit);
    call.result_count = static_cast<std::uint32_t>(creators.size());
    return json_response(200, table::kMetaType, {call.catalog->values(), creators});
  });
}

}  // namespace tonearm::api
