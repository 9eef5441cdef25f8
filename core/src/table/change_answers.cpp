#include "table/change_answers.h"

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

using Entry = ChangesPage::Entry;

std::string_view change_name(ChangeKind kind) { return kChangeNames[static_cast<std::size_t>(kind)]; }

constexpr Object kCatalogChange(
    "CatalogChange", "What a version of the catalog changed for a track.",
    field<&Entry::change, &CatalogChange::kind, change_name>(
        "change",
        "taken_down: do not use the track any more. license_changed: its license has another id, address or status, or "
        "attribution changed. removed: the catalog no longer has the track. restored: the track is no longer taken "
        "down. added: the track is new.",
        R"("license_changed")")
        .one_of(kChangeNames),
    field<&Entry::change, &CatalogChange::track_id>("track_id", "Track id.", R"("example-1042")"),
    field<&Entry::version>("catalog_version", "The first version of the catalog with the change.",
                           R"("0123456789abcdef")"),
    field<&Entry::change, &CatalogChange::license_before, or_null>(
        "license_before", "The license before the change; null if the track is new.", R"("cc-by-4.0")"),
    field<&Entry::change, &CatalogChange::license_after, or_null>(
        "license_after", "The license after the change; null if the track was removed.", R"("cc-by-nc-4.0")"));

constexpr Object kCatalogChanges(
    "CatalogChanges", "A page of the changes of the catalog since a version.",
    field<&CatalogChangesView::page, &ChangesPage::entries>(
        "changes", kCatalogChange,
        "The changes, oldest version first. A later change of a track replaces an earlier one."),
    field<&CatalogChangesView::page, &ChangesPage::total>("total", "How many there are on all pages.", "1"),
    field<&CatalogChangesView::cursor>("cursor", "Send it for the next page; null on the last one.", R"("100")"),
    field<&CatalogChangesView::catalog_version>("catalog_version",
                                                "The version of the catalog that answers. That of the first page is "
                                                "the next since; if a later page has another "
                                                "one, begin again.",
                                                R"("fedcba9876543210")"),
    field<&CatalogChangesView::taken_down>("taken_down",
                                           "All tracks that the operator took down since this version was made; do not "
                                           "use them. The list replaces that of "
                                           "your last request.",
                                           R"(["example-7"])"));

}  // namespace

const Type<LicenseChangesView> kLicenseChangesType = type_of(kLicenseChanges);
const Type<CatalogChangesView> kCatalogChangesType = type_of(kCatalogChanges);

}  // namespace tonearm::table
