#include "collection_model.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "collection_samples.h"
#include "state/accounts/account_rows.h"
#include "state/collections/collections.h"

namespace tonearm::test {
namespace {

using state::Collections;
using state::StoredCollection;

struct ModelItem {
  std::string track_id;
  bool commercial = true;  // of its license record
  std::string note;
  bool looped = false;
  std::int64_t added_s = 0;
};

struct ModelCollection {
  std::string id;
  std::string name;
  bool commercial = false;
  std::int64_t revision = 1;
  std::int64_t updated_s = 0;
  std::vector<ModelItem> items;

  ModelItem* member(const std::string& track_id) {
    for (ModelItem& item : items) {
      if (item.track_id == track_id) return &item;
    }
    return nullptr;
  }
};

struct ModelAccount {
  std::string account;
  Plan plan = Plan::pro;
  std::deque<ModelCollection> collections;  // most recently changed first
  std::vector<std::int64_t> creations_ms;
};

/// What the catalog currently says of a track.
struct ModelTrack {
  bool known = true;
  bool commercial = true;
};

/// The key of each account.
const std::string kKeyId = "key_model";

using Outcome = std::optional<ErrorCode>;  // empty: success

class Driver {
 public:
  Driver(sql::Store& store, FakeClock& clock, std::uint64_t seed)
      : store_(store), clock_(clock), random_(seed), ids_(seed), collections_({clock, ids_, store}) {
    for (int i = 0; i < 3; ++i) {
      ModelAccount owner;
      owner.account = "acc_model" + std::to_string(i);
      store_.transact([&](sql::Transaction& transaction) {
        state::insert_account(transaction, owner.account, owner.plan, clock_.now_ms());
        state::insert_key(transaction, owner.account, {{kKeyId, false, clock_.now_ms(), {}, {}}, {}});
      });
      owners_.push_back(owner);
    }
    for (int i = 0; i < 30; ++i) catalog_["k-" + std::to_string(i)].commercial = i % 5 != 0;
  }

  ModelRun run(std::uint64_t operations) {
    for (run_.operations = 0; run_.operations < operations; ++run_.operations) step();
    return run_;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  state::Writer writer() const { return {owner_->account, kKeyId}; }
  std::int64_t now_s() { return clock_.now_ms() / 1'000; }

  [[noreturn]] void differ(const std::string& what) const {
    throw std::runtime_error("operation " + std::to_string(run_.operations) + ": " + what);
  }

  void step() {
    owner_ = &owners_[below(owners_.size())];
    if (one_in(3)) clock_.advance_ms(static_cast<std::int64_t>(below(240'000)));
    if (one_in(4'000)) clock_.advance_ms(-static_cast<std::int64_t>(below(60'000)));
    const std::size_t choice = below(100);
    if (choice < 8) return create();
    if (choice < 11) return set_plan();
    if (choice < 16) return check_list();
    if (choice < 18) return change_catalog();
    if (owner_->collections.empty()) return check_missing();
    index_ = below(std::min<std::size_t>(owner_->collections.size(), 6));
    choose_revision();
    if (choice < 20) return remove();
    if (choice < 35) return set();
    if (choice < 60) return add();
    if (choice < 75) return change_item();
    if (choice < 85) return remove_item();
    if (choice < 95) return reorder();
    check_one();
  }

  ModelCollection& target() { return owner_->collections[index_]; }
  bool read_only() const { return owner_->plan == Plan::free && index_ != 0; }

  /// Chooses a stale revision, the current one, or none.
  void choose_revision() {
    auto& seen = seen_[below(4)][target().id];
    revision_ = one_in(2) ? std::nullopt : std::optional(one_in(3) && seen > 0 ? seen : target().revision);
    seen = target().revision;
  }

  Outcome edit_outcome() {
    if (read_only()) return ErrorCode::read_only;
    if (revision_ && *revision_ != target().revision) return ErrorCode::stale_revision;
    return std::nullopt;
  }

  void compare(const Outcome& expected, const Outcome& found, const std::string& what) {
    if (expected != found) {
      const auto shown = [](const Outcome& outcome) {
        return outcome ? std::string(error_row(*outcome).name) : std::string("done");
      };
      differ(what + ": " + shown(found) + ", expected " + shown(expected));
    }
    if (expected) ++run_.refusals;
  }

  void compare_collections(const StoredCollection& found, const ModelCollection& expected, bool read_only) {
    const Collection& value = found.value;
    const bool same = value.id == expected.id && value.name == expected.name &&
                      value.commercial == expected.commercial && value.revision == expected.revision &&
                      value.updated_s == expected.updated_s && found.read_only == read_only &&
                      value.items.size() == expected.items.size();
    if (!same) differ("another collection than expected: " + value.id);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const CollectionItem& item = value.items[i];
      const ModelItem& model = expected.items[i];
      const bool same_item = item.track_id == model.track_id && item.note == model.note &&
                             item.modifications.chips[2] == model.looped && item.added_s == model.added_s &&
                             item.record.recorded_s == model.added_s &&
                             item.record.terms.commercial == model.commercial;
      if (!same_item) differ("another item than expected: " + item.track_id);
    }
  }

  void create() {
    const std::string name = "c" + std::to_string(run_.operations);
    const bool commercial = one_in(3);
    const std::int64_t since_ms = clock_.now_ms() - 3'600'000;
    const auto recent = std::count_if(owner_->creations_ms.begin(), owner_->creations_ms.end(),
                                      [&](std::int64_t at_ms) { return at_ms > since_ms; });
    Outcome expected;
    if (owner_->plan == Plan::free && !owner_->collections.empty()) expected = ErrorCode::pro_required;
    // `unlimited` does not limit creation, but its collections are no larger than those of Pro.
    const bool is_full = owner_->plan != Plan::free && owner_->collections.size() >= 1'000;
    if (is_full || (owner_->plan == Plan::pro && recent >= 60)) {
      expected = ErrorCode::collection_limit;
    }
    const auto created = collections_.create(writer(), {name, commercial});
    compare(expected, code(created), "create");
    if (!created) return;
    ++run_.changes;
    owner_->collections.push_front({created->value.id, name, commercial, 1, now_s(), {}});
    if (owner_->plan != Plan::unlimited) owner_->creations_ms.push_back(clock_.now_ms());
    compare_collections(*created, owner_->collections.front(), false);
  }

  void set_plan() {
    owner_->plan = static_cast<Plan>(below(3));
    store_.transact(
        [&](sql::Transaction& transaction) { state::update_plan(transaction, owner_->account, owner_->plan); });
  }

  void change_catalog() {
    ModelTrack& track = catalog_["k-" + std::to_string(below(30))];
    (one_in(2) ? track.known : track.commercial) ^= true;
  }

  void check_list() {
    const auto found = collections_.list(owner_->account);
    if (found.size() != owner_->collections.size()) differ("a list of another length");
    for (index_ = 0; index_ < found.size(); ++index_) {
      const bool same = found[index_].id == target().id && found[index_].track_count == target().items.size() &&
                        found[index_].revision == target().revision && found[index_].read_only == read_only();
      if (!same) differ("another summary than expected: " + found[index_].id);
    }
  }

  void check_missing() {
    compare(ErrorCode::not_found, code(collections_.find(owner_->account, "col_aaaaaaaaaaaaaaaaaaaaaaaaaa")), "find");
  }

  void check_one() {
    const auto found = collections_.find(owner_->account, target().id);
    if (!found) differ("a collection is gone");
    compare_collections(*found, target(), read_only());
    for (const ModelAccount& other : owners_) {
      if (&other == owner_) continue;
      compare(ErrorCode::not_found, code(collections_.find(other.account, target().id)), "find as another");
    }
  }

  void remove() {
    const auto removed = collections_.remove(writer(), target().id);
    if (!removed || removed->items != target().items.size()) differ("remove");
    ++run_.changes;
    owner_->collections.erase(owner_->collections.begin() + static_cast<std::ptrdiff_t>(index_));
  }

  template <class T>
  static Outcome code(const Result<T>& result) {
    return result ? std::nullopt : std::optional(result.error().code);
  }

  /// Applies a change, compares its outcome, and updates the model.
  void change(const std::string& what, const Outcome& expected, ModelCollection after,
              const state::CollectionChange& sent) {
    const bool changes = !expected && differs(after, target());
    const auto outcome = collections_.change(writer(), target().id, {.revision = revision_}, sent);
    compare(expected, code(outcome), what);
    if (!outcome) return;
    if (changes) {
      ++run_.changes;
      after.revision = target().revision + 1;
      after.updated_s = now_s();
      owner_->collections.erase(owner_->collections.begin() + static_cast<std::ptrdiff_t>(index_));
      owner_->collections.push_front(std::move(after));
      index_ = 0;
    }
    compare_collections(*outcome, target(), false);
  }

  static bool differs(const ModelCollection& a, const ModelCollection& b) {
    const auto same = [](const ModelItem& left, const ModelItem& right) {
      return left.track_id == right.track_id && left.note == right.note && left.looped == right.looped;
    };
    return a.name != b.name || a.commercial != b.commercial ||
           !std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same);
  }

  void set() {
    ModelCollection after = target();
    Settings settings;
    if (one_in(2)) settings.name = after.name = "n" + std::to_string(below(5));
    if (!settings.name || one_in(2)) settings.commercial = after.commercial = one_in(2);
    Outcome expected = edit_outcome();
    std::set<std::string> now;
    for (const ModelItem& item : target().items) {
      const ModelTrack& track = catalog_[item.track_id];
      if (track.known && !track.commercial) now.insert(item.track_id);
      const bool refuses =
          after.commercial && !target().commercial && (!item.commercial || now.contains(item.track_id));
      if (refuses && !expected) expected = ErrorCode::nc_commercial;
    }
    change("set", expected, std::move(after), [&](const Collection& collection, const Edit& edit) {
      return with_settings(collection, edit, settings, now);
    });
  }

  void add() {
    ModelCollection after = target();
    std::vector<TrackToAdd> tracks;
    bool unknown = false;
    bool refused = false;
    for (std::size_t i = 0; i <= below(3); ++i) {
      const std::string id = "k-" + std::to_string(below(31));  // the last is never there
      const auto known = catalog_.find(id);
      const bool is_known = known != catalog_.end() && known->second.known;
      TrackToAdd track = unknown_track(id);
      if (is_known) track = track_to_add(id, known->second.commercial ? LicenseId::cc0 : LicenseId::cc_by_nc_4_0);
      track.note = "note";
      tracks.push_back(track);
      if (after.member(id) != nullptr) continue;
      unknown |= !is_known;
      if (!is_known) continue;
      refused |= !known->second.commercial && after.commercial;
      after.items.push_back({id, known->second.commercial, "note", false, now_s()});
    }
    Outcome expected = unknown ? ErrorCode::not_found : edit_outcome();
    if (!expected && refused) expected = ErrorCode::nc_commercial;
    change("add", expected, std::move(after),
           [&](const Collection& collection, const Edit& edit) -> Result<Collection> {
             auto added = with_tracks(collection, edit, tracks);
             if (!added) return added.error();
             return std::move(added->collection);
           });
  }

  std::string some_track() {
    if (target().items.empty() || one_in(5)) return "k-" + std::to_string(below(31));
    return target().items[below(target().items.size())].track_id;
  }

  void change_item() {
    ModelCollection after = target();
    const std::string id = some_track();
    ItemChange wanted;
    if (one_in(2)) wanted.note = one_in(2) ? "" : "n" + std::to_string(below(4));
    if (one_in(3)) wanted.modifications = Modifications{{false, false, one_in(2), false}, ""};
    if (one_in(2)) wanted.position = below(after.items.size() + 3);
    ModelItem* item = after.member(id);
    const Outcome expected = item == nullptr ? ErrorCode::not_found : edit_outcome();
    if (item != nullptr) {
      if (wanted.note) item->note = *wanted.note;
      if (wanted.modifications) item->looped = wanted.modifications->chips[2];
      if (wanted.position) {
        const ModelItem moved = *item;
        after.items.erase(after.items.begin() + (item - after.items.data()));
        const auto to = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(*wanted.position, after.items.size()));
        after.items.insert(after.items.begin() + to, moved);
      }
    }
    change("change item", expected, std::move(after), [&](const Collection& collection, const Edit& edit) {
      return with_item_changed(collection, edit, id, wanted);
    });
  }

  void remove_item() {
    ModelCollection after = target();
    const std::string id = some_track();
    const ModelItem* item = after.member(id);
    const Outcome expected = item == nullptr ? ErrorCode::not_found : edit_outcome();
    if (item != nullptr) after.items.erase(after.items.begin() + (item - after.items.data()));
    change("remove item", expected, std::move(after),
           [&](const Collection& collection, const Edit& edit) { return without_item(collection, edit, id); });
  }

  void reorder() {
    ModelCollection after = target();
    std::shuffle(after.items.begin(), after.items.end(), random_);
    std::vector<std::string> ids;
    for (const ModelItem& item : after.items) ids.push_back(item.track_id);
    const bool wrong = one_in(4);
    if (wrong) ids.emplace_back(one_in(2) || ids.empty() ? "k-99" : ids.front());
    Outcome expected = edit_outcome();
    if (!expected && wrong) expected = ErrorCode::invalid_request;
    change("reorder", expected, std::move(after),
           [&](const Collection& collection, const Edit& edit) { return reordered(collection, edit, ids); });
  }

  sql::Store& store_;
  FakeClock& clock_;
  std::mt19937_64 random_;
  SeededRandom ids_;
  Collections collections_;
  std::vector<ModelAccount> owners_;
  std::map<std::string, ModelTrack> catalog_;
  std::array<std::map<std::string, std::int64_t>, 4> seen_;  // by writer: the revisions that it last read
  ModelRun run_;
  ModelAccount* owner_ = nullptr;
  std::size_t index_ = 0;
  std::optional<std::int64_t> revision_;
};

}  // namespace

ModelRun drive_collections(sql::Store& store, FakeClock& clock, std::uint64_t seed, std::uint64_t operations) {
  return Driver(store, clock, seed).run(operations);
}

}  // namespace tonearm::test
