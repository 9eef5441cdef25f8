#pragma once
// The lines of an exported state (docs/spec/moving.md), each kind once: as it is written, and as it is read. The two
// follow from rows over the same struct.

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

/// What the member `type` of each kind of line says.
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
/// Its account's line stands before it.
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
/// Its collection's line stands before it.
struct ItemLine {
  std::string type;
  std::int64_t position = 0;
  CollectionItem item;
};
/// Its account's line stands before it.
struct KeyLine {
  std::string type;
  std::string key_id;
  std::string sha256;
  bool session = false;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> expires_ms;
  std::optional<std::int64_t> revoked_ms;
};

// Written with `type` as the struct's kind says, whatever stands in the member.
extern const Type<AccountLine> kAccountLineType;
extern const Type<CollectionLine> kCollectionLineType;
extern const Type<ItemLine> kItemLineType;
extern const Type<KeyLine> kKeyLineType;

extern const Body<AccountLine> kAccountLineBody;
extern const Body<CollectionLine> kCollectionLineBody;
extern const Body<ItemLine> kItemLineBody;
extern const Body<KeyLine> kKeyLineBody;

/// What begins the answer to `GET /v1/export` (MOVE-9).
struct CollectionsHeader {
  std::int64_t made_ms = 0;
};
/// What ends it.
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
/// A piece of an exported account.
struct StateLinesView {
  const std::vector<std::string>& lines;
  std::optional<std::string_view> cursor;
};
/// What an import did.
struct ImportedView {
  std::size_t lines = 0;
  std::size_t added = 0;
};
extern const Type<StateFormatView> kStateFormatType;
extern const Type<KeySecretView> kKeySecretType;
extern const Type<StateLinesView> kStateLinesType;
extern const Type<ImportedView> kImportedType;

/// A piece to be imported.
struct StateLinesBody {
  std::vector<std::string> lines;
  bool check = false;
};
extern const Body<StateLinesBody> kStateLinesBody;

}  // namespace tonearm::table
