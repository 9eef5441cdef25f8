// GET /v1/complete (docs/spec/complete.md).

#include "api/resources/handlers.h"
#include "table/answers.h"

namespace tonearm::api {

Answer answer_complete(Call& call, const table::CompleteArguments& arguments) {
  if (auto fresh = not_modified(call)) return *fresh;
  return cached_answer(call, [&] {
    table::CompletionsView view{call.catalog->complete(arguments.q, arguments.kind, arguments.limit)};
    call.result_count = static_cast<std::uint32_t>(view.completions.size());
    return json_response(200, table::kCompletionsType, view);
  });
}

}  // namespace tonearm::api
