// What operators and their probes see: the public paths without a key (SERVICE-5).

#include "api/description/openapi.h"
#include "api/resources/handlers.h"
#include "table/answers.h"

namespace tonearm::api {

Answer answer_openapi(Call& call) {
  static_cast<void>(call);
  return json_response(200, openapi_description());
}

Answer answer_healthz(Call& call) {
  static_cast<void>(call);
  return json_response(200, table::kStateType, {"ok"});
}

Answer answer_readyz(Call& call) {
  if (call.catalog == nullptr || !call.catalog->is_unchanged()) {
    return Error{ErrorCode::unavailable, "There is no catalog yet."};
  }
  // A state that cannot be used throws, and that is answered with 503 as everywhere.
  call.readiness.check();
  return json_response(200, table::kStateType, {"ok"});
}

}  // namespace tonearm::api
