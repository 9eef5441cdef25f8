#pragma once
// The lines of an exported state (docs/spec/moving.md). Each kind of line is a struct, with rows to write it and rows
// to read it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "domain/plan.h"
#include "reflection/object_type.h"
#include "table/bodies.h"

namespace tonearm::table {

inline constexpr std::string_view kStateFormat = "tonearm-state";              // MOVE-1
inline constexpr std::string_view kCollectionsFormat = "tonearm-collections";  // MOVE-9
inline constexpr std::int64_t kStateVersion = 1;
inline constexpr std::string_view kJsonLines = "application/jsonl";

/// The member `type` of each kind of line.
inline constexpr std::string_view kAccountLineName = "account";
inline constexpr std::string_view kCollectionLineName = "collection";
inline constexpr std::string_view kItemLineName = "item";
inline constexpr std::string_view kKeyLineName = "key";

struct AccountLine {
  std::string type;
  std::string account;
  Plan plan = Plan::free;
  std::int64_t created_ms = 0;
};
/// Follows its account's line.
struct CollectionLine {
  std::string type;
  std::string id;
  std::string name;
  bool commercial = false;
  std::int64_t revision = 1;
  std::int64_t created_s = 0;
  std::int64_t updated_s = 0;
  std::int64_t change_order = 0;
  std::int64_t track_count = 0;
};
/// Follows its collection's line.
struct ItemLine {
  std::string type;
  std::int64_t position = 0;
  CollectionItem item;
};
/// Follows its account's line.
struct KeyLine {
  std::string type;
  std::string key_id;
  std::string sha256;
  bool session = false;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> expires_ms;
  std::optional<std::int64_t> revoked_ms;
};

// The struct determines the `type` that is written; its member `type` is ignored.
extern const Type<AccountLine> kAccountLineType;
extern const Type<CollectionLine> kCollectionLineType;
extern const Type<ItemLine> kItemLineType;
extern const Type<KeyLine> kKeyLineType;

extern const Body<AccountLine> kAccountLineBody;
extern const Body<CollectionLine> kCollectionLineBody;
extern const Body<ItemLine> kItemLineBody;
extern const Body<KeyLine> kKeyLineBody;

/// The first line of the answer to `GET /v1/export` (MOVE-9).
struct CollectionsHeader {
  std::int64_t made_ms = 0;
};
/// Its last line.
struct CollectionsEnd {
  std::int64_t lines = 0;
  std::optional<std::string_view> cursor;
};
extern const Type<CollectionsHeader> kCollectionsHeaderType;
extern const Type<CollectionsEnd> kCollectionsEndType;

/// `GET /admin/state`.
struct StateFormatView {
  std::string key_secret_sha256;
};
/// `GET /admin/state/key-secret`.
struct KeySecretView {
  std::string key_secret;
};
/// A part of an exported account.
struct StateLinesView {
  const std::vector<std::string>& lines;
  std::optional<std::string_view> cursor;
};
/// The result of an import.
struct ImportedView {
  std::size_t lines = 0;
  std::size_t added = 0;
};
extern const Type<StateFormatView> kStateFormatType;
extern const Type<KeySecretView> kKeySecretType;
extern const Type<StateLinesView> kStateLinesType;
extern const Type<ImportedView> kImportedType;

/// A part to import.
struct StateLinesBody {
  std::vector<std::string> lines;
  bool check = false;
};
extern const Body<StateLinesBody> kStateLinesBody;

}  // namespace tonearm::table
