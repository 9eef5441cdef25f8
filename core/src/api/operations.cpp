// What operators and their probes see: the public paths without a key (C12).

#include "api/call.h"
#include "api/openapi.h"
#include "table/answers.h"

namespace tonearm::api {

Answer answer_openapi(Call& call) {
  static_cast<void>(call);
  return json_response(200, openapi_description());
}

Answer answer_healthz(Call& call) {
  static_cast<void>(call);
  return json_response(200, table::kStateType, table::StateView{"ok"});
}

Answer answer_readyz(Call& call) {
  if (call.catalog == nullptr) return Error{ErrorCode::unavailable, "There is no catalog yet."};
  // A state that cannot be reached throws, and that is answered with 503 as everywhere.
  call.store.transact([](sql::Transaction& transaction) { transaction.execute("SELECT 1 FROM accounts LIMIT 1"); });
  return json_response(200, table::kStateType, table::StateView{"ok"});
}

}  // namespace tonearm::api
