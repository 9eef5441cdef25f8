#include "mcp/identifiers.h"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <string>

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

constexpr string_view kTrackId = "track_id";
constexpr string_view kTrackIds = "track_ids";
constexpr string_view kCollectionId = "collection_id";

struct ArgumentName {
  string_view path;  // the beginning of the operation's path
  string_view api;
  string_view tool;
};
constexpr std::array<ArgumentName, 7> kArguments{{{"/v1/tracks", "id", kTrackId},
                                                  {"/v1/tracks", "ids", kTrackIds},
                                                  {"/v1/collections", "id", kCollectionId},
                                                  {"/v1/collections", "trackId", kTrackId},
                                                  {"/v1/collections", "track", kTrackId},
                                                  {"/v1/collections", "tracks", kTrackIds},
                                                  {"/v1/collections", "seeds", kTrackIds}}};

struct IdentifierField {
  string_view type;  // the end of the type's name
  string_view field;
  string_view name;
};
constexpr std::array<IdentifierField, 7> kFields{{{"Track", "id", kTrackId},
                                                  {"TrackPart", "id", kTrackId},
                                                  {"AddedTrack", "track", kTrackId},
                                                  {"Collection", "id", kCollectionId},
                                                  {"CollectionSummary", "id", kCollectionId},
                                                  {"WithCredits", "id", kCollectionId},
                                                  {"WithResults", "id", kCollectionId}}};

}  // namespace

string_view argument_name(const Operation& operation, string_view api_name) {
  const auto row = std::find_if(kArguments.begin(), kArguments.end(), [&](const ArgumentName& it) {
    return it.api == api_name && operation.path.starts_with(it.path);
  });
  return row == kArguments.end() ? api_name : row->tool;
}

Result<js::object> with_api_names(const Operation& operation, const js::object& arguments) {
  js::object renamed;
  for (const js::key_value_pair& argument : arguments) {
    string_view name = argument.key();
    for (const ArgumentName& row : kArguments) {
      if (row.tool != name || !operation.path.starts_with(row.path)) continue;
      if (!operation.takes(row.api)) continue;
      name = row.api;
      break;
    }
    if (!renamed.emplace(name, argument.value()).second) {
      const std::string known(argument_name(operation, name));
      return Error{ErrorCode::invalid_parameter, known + " is given twice.", 0, known};
    }
  }
  return renamed;
}

string_view identifier_of(string_view type, string_view field) {
  const auto row = std::find_if(kFields.begin(), kFields.end(), [&](const IdentifierField& it) {
    return it.field == field && type.ends_with(it.type);
  });
  return row == kFields.end() ? string_view{} : row->name;
}

}  // namespace tonearm::mcp
