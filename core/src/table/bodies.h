#pragma once
// The JSON bodies of requests, as plain structs, and the rows that state which field fills which member. Members whose
// fields are absent keep their initial values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/api_key.h"
#include "domain/collection.h"
#include "domain/plan.h"
#include "reflection/body_type.h"

namespace tonearm::table {

struct NoBody {};  // an object without fields
struct PlanBody {
  Plan plan = Plan::free;
};
struct SessionBody {
  std::int64_t ttl_s = kSessionSecondsMax;
};
struct MoveBody {
  std::int64_t database = 0;
};
struct TakeDownBody {
  std::string track_id;
  std::string reason;
  std::string added;  // empty: now
};
struct CollectionBody {
  std::string name;
  bool commercial = false;
};
struct CollectionChangeBody {
  Settings settings;
  std::int64_t revision = 0;
};
struct ItemsBody {
  std::string track;
  std::optional<std::vector<std::string>> tracks;  // instead of `track`; then note and modifications are ignored
  std::string note;
  Modifications modifications;
  std::optional<std::int64_t> revision;
};
struct ItemChangeBody {
  ItemChange change;
  std::optional<std::int64_t> revision;
};
struct OrderBody {
  std::vector<std::string> tracks;
  std::optional<std::int64_t> revision;
};
/// A file whose track is searched for (CREDIT-12).
struct FileBody {
  std::string name;
  std::string url;                   // empty: absent
  std::string sha256;                // empty: absent
  std::optional<double> duration_s;  // as in the JSON
  std::string fingerprint;           // empty: absent
};
struct FilesBody {
  std::vector<FileBody> files;
};
/// A piece of a mix in which tracks are searched for (CREDIT-29).
struct PieceBody {
  std::string fingerprint;
};
struct PiecesBody {
  std::vector<PieceBody> pieces;
};

extern const Body<NoBody> kNoBody;
extern const Body<PlanBody> kPlanBody;
extern const Body<SessionBody> kSessionBody;
extern const Body<MoveBody> kMoveBody;
extern const Body<TakeDownBody> kTakeDownBody;
extern const Body<CollectionBody> kCollectionBody;
extern const Body<CollectionChangeBody> kCollectionChangeBody;
extern const Body<ItemsBody> kItemsBody;
extern const Body<ItemChangeBody> kItemChangeBody;
extern const Body<OrderBody> kOrderBody;
extern const Body<FilesBody> kFilesBody;
extern const Body<PiecesBody> kPiecesBody;

/// Returns a text that describes what the field accepts: "a string of 1 to 80 characters".
std::string accepts(const BodyField& field);

}  // namespace tonearm::table
