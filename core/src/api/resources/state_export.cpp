// Export and import of accounts, piece by piece (docs/spec/moving.md).

#include "api/answers/state_lines.h"
#include "api/resources/handlers.h"
#include "domain/api_key.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

using state::ImportMode;

Error secret_not_in_state() {
  return {ErrorCode::invalid_request,
          "The key secret was not made in the state: you have it, as --key-secret-file of the server or as "
          "KEY_SECRET of the edge."};
}

/// The approximate size of a piece of collections.
constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;
/// The same for `GET /v1/export`, where one piece is nearly always enough (MOVE-9).
constexpr std::size_t kOwnPieceBytes = std::size_t{4} * 1024 * 1024;

std::optional<std::string_view> cursor_of(const std::string& next) {
  return next.empty() ? std::nullopt : std::optional<std::string_view>(next);
}

ImportMode mode_of(const table::StateLinesBody& body) { return body.check ? ImportMode::check : ImportMode::write; }

Answer answer_import(const Call& call, const table::StateLinesBody& body, const Result<std::size_t>& added) {
  if (!added) return added.error();
  const bool is_unchanged = body.check || *added == 0;
  return json_response(is_unchanged ? call.route.unchanged_status : call.route.status, table::kImportedType,
                       {body.lines.size(), *added});
}

}  // namespace

Answer answer_state_show(Call& call) {
  return json_response(200, table::kStateFormatType, {ascii::to_hex(call.transfer.key_secret().sha256)});
}

Answer answer_key_secret(Call& call) {
  const auto secret = call.transfer.key_secret();
  if (secret.made_in_state.empty()) return secret_not_in_state();
  return json_response(200, table::kKeySecretType, {secret.made_in_state});
}

Answer answer_keys_export(Call& call, const table::ExportArguments& arguments) {
  const auto exported = call.transfer.export_keys(arguments.account, arguments.cursor);
  if (!exported) return exported.error();
  return json_response(200, table::kStateLinesType, {write_lines(*exported), cursor_of(exported->next)});
}

Answer answer_keys_import(Call& call, const table::AccountArguments& arguments, const table::StateLinesBody& body) {
  const auto source = read_keys(body.lines, arguments.account);
  if (!source) return source.error();
  return answer_import(call, body, call.transfer.import_keys(*source, mode_of(body)));
}

Answer answer_collections_export(Call& call, const table::ExportArguments& arguments) {
  const auto exported = state::export_collections(call.store, arguments.account, arguments.cursor, kPieceBytes);
  if (!exported) return state::account_not_found();
  return json_response(200, table::kStateLinesType, {write_lines(*exported), cursor_of(exported->next)});
}

Answer answer_collections_import(Call& call, const table::AccountArguments& arguments,
                                 const table::StateLinesBody& body) {
  const auto source = read_collections(body.lines);
  if (!source) return source.error();
  return answer_import(call, body, state::import_collections(call.store, arguments.account, *source, mode_of(body)));
}

Answer answer_export(Call& call, const table::OwnExportArguments& arguments) {
  const auto exported = state::export_collections(call.store, call.admitted.account, arguments.cursor, kOwnPieceBytes);
  if (!exported) return invalid_key_error();  // KEY-13: the account was deleted after the call was admitted
  const std::vector<std::string> lines = write_lines(*exported);
  std::string body = to_json(table::kCollectionsHeaderType, {call.admitted.began_ms}) + '\n';
  for (const std::string& line : lines) body.append(line) += '\n';
  body +=
      to_json(table::kCollectionsEndType, {static_cast<std::int64_t>(lines.size() + 1), cursor_of(exported->next)}) +
      '\n';
  call.result_count = static_cast<std::uint32_t>(exported->collections.size());
  return json_lines_response(std::move(body), "collections.jsonl");
}

}  // namespace tonearm::api
