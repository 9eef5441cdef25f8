#include "reflection/object_type.h"

namespace tonearm::table::erased {
namespace {

/// Writes the value after its key. Returns false if there is no value.
bool write_value(json::Writer& out, const Field& field, const void* view) {
  if (field.nested == nullptr) return field.write(out, field, view);
  const void* object = field.nested(view);
  if (object != nullptr) write(out, *field.object, object);
  return object != nullptr;
}

bool write_nested(json::Writer& out, const Field& field, const void* view, std::vector<std::uint32_t>& offsets) {
  const void* object = field.nested(view);
  if (object != nullptr) {
    write(out, *field.object, object, offsets);
  } else {
    offsets.resize(offsets.size() + 2 * field.object->fields.size());
  }
  return object != nullptr;
}

}  // namespace

void write(json::Writer& out, const ObjectType& type, const void* view) {
  out.begin_object();
  for (const Field& field : type.fields) {
    const json::Writer::Mark mark = out.mark();
    out.key(field.name);
    if (write_value(out, field, view)) continue;
    field.presence == Presence::optional ? out.rewind(mark) : out.null();
  }
  out.end_object();
}

void write(json::Writer& out, const ObjectType& type, const void* view, std::vector<std::uint32_t>& offsets) {
  out.begin_object();
  for (const Field& field : type.fields) {
    out.key(field.name);
    const std::size_t slot = offsets.size();
    offsets.push_back(static_cast<std::uint32_t>(out.next_begin()));
    offsets.push_back(0);
    const bool has_value =
        field.nested == nullptr ? field.write(out, field, view) : write_nested(out, field, view, offsets);
    if (!has_value) out.null();
    offsets[slot + 1] = static_cast<std::uint32_t>(out.end());
  }
  out.end_object();
}

}  // namespace tonearm::table::erased
