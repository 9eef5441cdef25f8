#include "reflection/body_type.h"

#include <boost/json/object.hpp>

namespace tonearm::table {

void erased::fill(void* body, const BodyType& type, const boost::json::object& object) {
  for (const BodyField& field : type.fields) {
    const auto* value = object.if_contains(field.name);
    if (value == nullptr) continue;
    if (!field.ignored_beside.empty() && object.contains(field.ignored_beside)) continue;
    field.store(body, field, *value);
  }
}

}  // namespace tonearm::table
