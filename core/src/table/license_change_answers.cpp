#include "table/license_change_answers.h"

#include "reflection/describe.h"
#include "table/item_answers.h"

namespace tonearm::table {
namespace {

using state::LicenseChange;

const LicenseChange& change(const LicenseChangeView& view) { return view.change; }

constexpr Object kLicenseChange(
    "LicenseChange", "An item whose license is another one by now, or that the catalog has no longer.",
    field<change, &LicenseChange::collection_id>("collection_id", "Collection id.",
                                                 R"("col_abcdefghijklmnopqrstuvwxyz")"),
    field<change, &LicenseChange::collection_name>("collection_name", "Its name.", R"("Rainy evenings")"),
    field<change, &LicenseChange::track_id>("track_id", "Track id.", R"("example-1042")"),
    field<change, &LicenseChange::recorded>("recorded", kStatedLicenseType, "What the license record says."),
    field<&LicenseChangeView::current>("current", kStatedLicenseType,
                                       "What the catalog says now; null where it has the track no longer."),
    field<change, &LicenseChange::missing>("missing", "Whether the catalog has the track no longer.", "false"));

constexpr Object kLicenseChanges(
    "LicenseChanges", "A page of the license changes in all collections of an account.",
    field<&LicenseChangesView::changes>("changes", kLicenseChange,
                                        "The items, by collection, the one that was changed last first, and place."),
    field<&LicenseChangesView::total>("total", "How many there are on all pages.", "1"),
    field<&LicenseChangesView::cursor>("cursor", "Send it for the next page; null on the last one.", R"("50")"),
    field<&LicenseChangesView::unchecked>(
        "unchecked",
        "How many collections are not in the list because they were not compared with this version of the catalog yet; "
        "each call compares some.",
        "0"));

}  // namespace

const Type<LicenseChangesView> kLicenseChangesType = type_of(kLicenseChanges);

}  // namespace tonearm::table
