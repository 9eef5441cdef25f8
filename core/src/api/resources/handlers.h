#pragma once
// The functions that answer calls, one for each route. The rows in routing/routes.cpp name them. Each resource has a
// file.

#include "api/requests/call.h"
#include "table/arguments.h"
#include "table/bodies.h"
#include "table/state_lines.h"

namespace tonearm::api {

// search.cpp, complete.cpp, meta.cpp, tracks.cpp
Answer answer_search(Call& call, const table::SearchArguments& arguments);
Answer answer_complete(Call& call, const table::CompleteArguments& arguments);
Answer answer_meta(Call& call, const table::MetaArguments& arguments);
Answer answer_tracks(Call& call, const table::TracksArguments& arguments);
Answer answer_track(Call& call, const table::TrackArguments& arguments);
Answer answer_similar(Call& call, const table::SimilarArguments& arguments);

// receipts.cpp
Answer answer_receipt(Call& call, const table::TrackArguments& arguments);
Answer answer_receipts(Call& call, const table::CollectionArguments& arguments);

// collections.cpp
Answer answer_collections_list(Call& call);
Answer answer_collection_create(Call& call, const table::CollectionBody& body);
Answer answer_collection_show(Call& call, const table::CollectionArguments& arguments);
Answer answer_collection_update(Call& call, const table::CollectionArguments& arguments,
                                const table::CollectionChangeBody& body);
Answer answer_collection_delete(Call& call, const table::CollectionDeleteArguments& arguments);

// collection_items.cpp
Answer answer_items_add(Call& call, const table::CollectionArguments& arguments, const table::ItemsBody& body);
Answer answer_item_update(Call& call, const table::ItemArguments& arguments, const table::ItemChangeBody& body);
Answer answer_item_delete(Call& call, const table::ItemDeleteArguments& arguments);
Answer answer_order_replace(Call& call, const table::CollectionArguments& arguments, const table::OrderBody& body);

// collection_credits.cpp, collection_similar.cpp
Answer answer_credits(Call& call, const table::CreditsArguments& arguments);
Answer answer_collection_similar(Call& call, const table::CollectionSimilarArguments& arguments);

// credits_match.cpp
Answer answer_credits_match(Call& call, const table::FilesBody& body);
Answer answer_credits_recognize(Call& call, const table::PiecesBody& body);

// license_changes.cpp
Answer answer_license_changes(Call& call, const table::LicenseChangesArguments& arguments);

// changes.cpp
Answer answer_changes(Call& call, const table::ChangesArguments& arguments);

// usage.cpp
Answer answer_own_usage(Call& call);

// operations.cpp
Answer answer_openapi(Call& call);
Answer answer_healthz(Call& call);
Answer answer_readyz(Call& call);

// admin.cpp
Answer answer_accounts_list(Call& call, const table::AccountsArguments& arguments);
Answer answer_accounts_create(Call& call, const table::PlanBody& body);
Answer answer_account_show(Call& call, const table::AccountArguments& arguments);
Answer answer_account_update(Call& call, const table::AccountArguments& arguments, const table::PlanBody& body);
Answer answer_account_delete(Call& call, const table::AccountArguments& arguments);
Answer answer_account_move(Call& call, const table::AccountArguments& arguments, const table::MoveBody& body);
Answer answer_keys_list(Call& call, const table::AccountArguments& arguments);
Answer answer_keys_create(Call& call, const table::AccountArguments& arguments, const table::NoBody& body);
Answer answer_key_revoke(Call& call, const table::KeyArguments& arguments);
Answer answer_sessions_create(Call& call, const table::AccountArguments& arguments, const table::SessionBody& body);
Answer answer_calls(Call& call, const table::CallsArguments& arguments);
Answer answer_usage(Call& call, const table::AccountArguments& arguments);
Answer answer_limits(Call& call, const table::AccountArguments& arguments);
Answer answer_limits_reset(Call& call, const table::AccountArguments& arguments);
Answer answer_backup(Call& call);

// takedowns.cpp
Answer answer_takedowns_list(Call& call, const table::TakeDownsArguments& arguments);
Answer answer_takedowns_add(Call& call, const table::TakeDownBody& body);
Answer answer_takedown_remove(Call& call, const table::TakeDownArguments& arguments);

// state_export.cpp
Answer answer_export(Call& call, const table::OwnExportArguments& arguments);
Answer answer_state_show(Call& call);
Answer answer_key_secret(Call& call);
Answer answer_keys_export(Call& call, const table::ExportArguments& arguments);
Answer answer_keys_import(Call& call, const table::AccountArguments& arguments, const table::StateLinesBody& body);
Answer answer_collections_export(Call& call, const table::ExportArguments& arguments);
Answer answer_collections_import(Call& call, const table::AccountArguments& arguments,
                                 const table::StateLinesBody& body);

}  // namespace tonearm::api
