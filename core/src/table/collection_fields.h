#pragma once
// The fields that every answer about a collection has. Constant.

#include "reflection/describe.h"
#include "state/collections/collections.h"

namespace tonearm::table {

/// `ToSummary`: the steps to the summary of the collection; none if the view is the summary.
template <auto... ToSummary>
constexpr auto identity_fields() {
  using state::CollectionSummary;
  return fields(
      field<ToSummary..., &CollectionSummary::id>("id", "Collection id.", R"("col_abcdefghijklmnopqrstuvwxyz")"),
      field<ToSummary..., &CollectionSummary::name>("name", "Its name.", R"("Rainy evenings")"),
      field<ToSummary..., &CollectionSummary::commercial>(
          "commercial", "Whether it is for commercial use: then no non-commercial track is added.", "false"),
      field<ToSummary..., &CollectionSummary::revision>("revision", "Grows by 1 with every change.", "3"));
}

}  // namespace tonearm::table
