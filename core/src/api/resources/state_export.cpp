// Accounts out of a state and into another, piece by piece (docs/spec/moving.md).

#include "api/answers/state_lines.h"
#include "api/resources/handlers.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

using state::ImportMode;

/// How much of its collections a piece of an account holds, about.
constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;
/// The same for the account itself, which gets nearly always all in one (MOVE-9).
constexpr std::size_t kOwnPieceBytes = std::size_t{4} * 1024 * 1024;

std::optional<std::string_view> cursor_of(const std::string& next) {
  return next.empty() ? std::nullopt : std::optional<std::string_view>(next);
}

ImportMode mode_of(const table::StateLinesBody& body) { return body.check ? ImportMode::check : ImportMode::write; }

Answer imported(const Call& call, const table::StateLinesBody& body, const Result<std::size_t>& added) {
  if (!added) return added.error();
  const bool is_unchanged = body.check || *added == 0;
  return json_response(is_unchanged ? call.route.unchanged_status : call.route.status, table::kImportedType,
                       {body.lines.size(), *added});
}

}  // namespace

Answer answer_state_show(Call& call) {
  return json_response(200, table::kStateFormatType, {ascii::to_hex(call.accounts.key_secret().sha256)});
}

Answer answer_key_secret(Call& call) {
  const auto secret = call.accounts.key_secret();
  if (secret.made_in_state.empty()) {
    return Error{ErrorCode::invalid_request,
                 "The key secret was not made in the state: you have it, as --key-secret-file of the server or as "
                 "KEY_SECRET of the edge."};
  }
  return json_response(200, table::kKeySecretType, {secret.made_in_state});
}

Answer answer_keys_export(Call& call, const table::ExportArguments& arguments) {
  const auto exported = call.accounts.export_keys(arguments.account, arguments.cursor);
  if (!exported) return exported.error();
  return json_response(200, table::kStateLinesType, {lines_of(*exported), cursor_of(exported->next)});
}

Answer answer_keys_import(Call& call, const table::AccountArguments& arguments, const table::StateLinesBody& body) {
  const auto wanted = read_keys(body.lines, arguments.account);
  if (!wanted) return wanted.error();
  return imported(call, body, call.accounts.import_keys(*wanted, mode_of(body)));
}

Answer answer_collections_export(Call& call, const table::ExportArguments& arguments) {
  const auto exported = state::export_collections(call.store, arguments.account, arguments.cursor, kPieceBytes);
  if (!exported) return Error{ErrorCode::not_found, "There is no account with this id."};
  return json_response(200, table::kStateLinesType, {lines_of(*exported), cursor_of(exported->next)});
}

Answer answer_collections_import(Call& call, const table::AccountArguments& arguments,
                                 const table::StateLinesBody& body) {
  const auto wanted = read_collections(body.lines);
  if (!wanted) return wanted.error();
  return imported(call, body, state::import_collections(call.store, arguments.account, *wanted, mode_of(body)));
}

Answer answer_export(Call& call, const table::OwnExportArguments& arguments) {
  const auto exported = state::export_collections(call.store, call.admitted.account, arguments.cursor, kOwnPieceBytes);
  if (!exported) return Error{ErrorCode::invalid_api_key, "The API key is invalid or revoked."};
  const std::vector<std::string> lines = lines_of(*exported);
  std::string body = to_json(table::kCollectionsHeaderType, {call.admitted.began_ms}) + '\n';
  for (const std::string& line : lines) body.append(line) += '\n';
  body +=
      to_json(table::kCollectionsEndType, {static_cast<std::int64_t>(lines.size() + 1), cursor_of(exported->next)}) +
      '\n';
  call.result_count = static_cast<std::uint32_t>(exported->collections.size());
  Response response = json_response(200, std::move(body));
  response.headers[0].value = std::string(table::kJsonLines) + "; charset=utf-8";
  response.headers.push_back({"Content-Disposition", "attachment; filename=\"collections.jsonl\""});
  return response;
}

}  // namespace tonearm::api
