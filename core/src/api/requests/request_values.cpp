#include "api/requests/request_values.h"

#include <boost/json/object.hpp>

#include "api/requests/body.h"

namespace tonearm::api {

void fill_arguments(const Call& call, void* arguments) {
  const auto rows = call.route.handler.parameters->path;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table::Value value;
    value.text = call.path_values[i];
    rows[i].store(arguments, value);
  }
  call.values.store(arguments);
}

std::optional<Error> read_body(const Call& call, void* body) {
  const table::BodyType& type = *call.route.handler.body;
  const auto object = parse_body(call.request, type);
  if (!object) return object.error();
  table::erased::fill(body, type, *object);
  return std::nullopt;
}

}  // namespace tonearm::api
