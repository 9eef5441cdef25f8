// The public paths, which need no key: the description and the probes (SERVICE-5).

#include "api/description/openapi.h"
#include "api/resources/handlers.h"
#include "table/answers.h"

namespace tonearm::api {
namespace {

Error no_catalog() { return {ErrorCode::unavailable, "There is no catalog yet."}; }

}  // namespace

Answer answer_openapi(Call& /*call*/) { return json_response(200, openapi_description()); }

Answer answer_healthz(Call& /*call*/) { return json_response(200, table::kStateType, {"ok"}); }

Answer answer_readyz(Call& call) {
  const auto catalog = call.served_catalog();
  if (catalog == nullptr || !catalog->is_unchanged()) return no_catalog();
  call.readiness.check();  // throws if the state cannot be used, which is answered with 503
  return json_response(200, table::kStateType, {"ok"});
}

}  // namespace tonearm::api
