#include "admin/admin_commands.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <vector>

#include "files/small_file.h"

namespace tonearm::native {
namespace {

using settings::Command;
using settings::Layers;
using settings::Option;
using settings::Presence;
using settings::Type;
using settings::Values;

constexpr std::array kOptions{
    Option{.name = "server", .value = "URL", .help = "URL of the admin interface", .standard = "http://127.0.0.1:8081"},
    Option{.name = "token-file", .value = "FILE", .help = "File with its bearer token", .presence = Presence::required},
    Option{.name = "ca-file", .value = "FILE", .help = "PEM certificates to trust instead of the system's"},
};

constexpr std::array<std::string_view, 3> kPlans{"free", "pro", "unlimited"};

constexpr Option kJson{
    .name = "json", .type = Type::on_off, .help = "Print the response as JSON", .layers = Layers::flag_alone};
constexpr std::array kNoMore{kJson};
constexpr std::array kPlan{Option{.name = "plan",
                                  .value = "PLAN",
                                  .help = "free, pro or unlimited",
                                  .presence = Presence::required,
                                  .choices = kPlans,
                                  .layers = Layers::flag_alone},
                           kJson};
// The server checks the upper bounds of these numbers.
constexpr std::array kTtl{Option{.name = "ttl",
                                 .type = Type::number,
                                 .value = "SECONDS",
                                 .help = "Lifetime, at most 43200",
                                 .layers = Layers::flag_alone},
                          kJson};
constexpr std::array kLimit{Option{.name = "limit",
                                   .type = Type::number,
                                   .value = "N",
                                   .help = "Maximum number of rows",
                                   .layers = Layers::flag_alone},
                            kJson};

constexpr std::array kReset{
    Option{.name = "reset", .type = Type::on_off, .help = "Reset all counts to zero", .layers = Layers::flag_alone},
    kJson};

constexpr std::array kAccount{Option{.name = "ACCOUNT", .help = "acc_..."}};
constexpr std::array kAccountPlan{kAccount[0],
                                  Option{.name = "PLAN", .help = "free, pro or unlimited", .choices = kPlans}};
constexpr std::array kAccountDatabase{
    kAccount[0], Option{.name = "DATABASE", .type = Type::number, .help = "The place of its --state, from 1"}};
constexpr std::array kKey{Option{.name = "KEY_ID", .help = "An id from key list"}};
constexpr std::array kTrack{Option{.name = "TRACK_ID", .help = "A track id"}};
constexpr std::array kReason{Option{.name = "reason",
                                    .value = "TEXT",
                                    .help = "Why; only operators read it",
                                    .presence = Presence::required,
                                    .layers = Layers::flag_alone},
                             kJson};
constexpr std::array kFile{Option{.name = "FILE", .help = "A new file"}};

constexpr std::array kKeySecret{
    Option{.name = "key-secret-file",
           .value = "OUT",
           .help = "Also write the key secret that was created in the state to this new file",
           .layers = Layers::flag_alone},
    kJson};
constexpr std::array kExported{Option{.name = "FILE", .help = "A file that export wrote"}};

constexpr std::array kKeyFile{Option{
    .name = "key-file", .value = "FILE", .help = "File with an API key of the server", .presence = Presence::required}};

struct CommandRow {
  Command command;
  Shape shape;
  std::string_view method;
  std::string_view target;  // `*` is replaced by the account, key or track
  Action action = Action::print_response;
};

constexpr std::array<CommandRow, 20> kCommands{{
    {{"account create", "Create an account", kPlan, {}}, Shape::fields, "POST", "/admin/accounts"},
    {{"account list", "List all accounts", kNoMore, {}}, Shape::accounts, "GET", "/admin/accounts"},
    {{"account show", "Show an account", kNoMore, kAccount}, Shape::fields, "GET", "/admin/accounts/*"},
    {{"account plan", "Change the plan", kNoMore, kAccountPlan}, Shape::fields, "PATCH", "/admin/accounts/*"},
    {{"account delete", "Delete an account and everything that belongs to it", kNoMore, kAccount},
     Shape::fields,
     "DELETE",
     "/admin/accounts/*"},
    {{"account move", "Move an account to another database, if the state is divided among several", kNoMore,
      kAccountDatabase},
     Shape::fields,
     "POST",
     "/admin/accounts/*/move",
     Action::repeat},
    {{"account limits", "Show or reset the counts of an account's rate limits", kReset, kAccount},
     Shape::limits,
     "GET",
     "/admin/accounts/*/limits"},
    {{"key create", "Create an API key; it is shown only once", kNoMore, kAccount},
     Shape::fields,
     "POST",
     "/admin/accounts/*/keys"},
    {{"key list", "List the keys of an account", kNoMore, kAccount}, Shape::keys, "GET", "/admin/accounts/*/keys"},
    {{"key revoke", "Revoke a key at once", kNoMore, kKey}, Shape::fields, "DELETE", "/admin/keys/*"},
    {{"session create", "Create a session key for a first-party site", kTtl, kAccount},
     Shape::fields,
     "POST",
     "/admin/accounts/*/sessions"},
    {{"calls", "List the latest calls of an account", kLimit, kAccount},
     Shape::calls,
     "GET",
     "/admin/accounts/*/calls"},
    {{"usage", "Count the calls of an account by day", kNoMore, kAccount},
     Shape::days,
     "GET",
     "/admin/accounts/*/usage"},
    {{"takedown add", "Take a track down at once", kReason, kTrack}, Shape::fields, "POST", "/admin/takedowns"},
    {{"takedown list", "List the tracks that were taken down", kNoMore, {}},
     Shape::take_downs,
     "GET",
     "/admin/takedowns"},
    {{"takedown remove", "Offer a track again", kNoMore, kTrack}, Shape::fields, "DELETE", "/admin/takedowns/*"},
    {{"backup", "Write a consistent copy of the server's state to a new file", kNoMore, kFile},
     Shape::fields,
     "GET",
     "/admin/backup",
     Action::download},
    {{"export", "Write accounts, keys and collections to a new file that another server can import", kKeySecret, kFile},
     Shape::fields,
     "GET",
     "/admin/state",
     Action::export_state},
    {{"import", "Import a file that export wrote; existing data stays", kNoMore, kExported},
     Shape::fields,
     "GET",
     "/admin/state",
     Action::import_state},
    {{"mcp",
      "Serve MCP on standard input and output, by passing messages to the API at --server",
      kKeyFile,
      {},
      "token-file"},
     Shape::fields,
     "POST",
     "/mcp",
     Action::relay_messages},
}};

/// Checks that an id has only characters of ids, because it becomes part of a path.
std::string id_of(const Values& values, std::string_view argument) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  auto id = values.text(argument);
  if (id.empty() || !std::all_of(id.begin(), id.end(), fits)) values.refuse(argument, "an id");
  return id;
}

std::string target_of(const CommandRow& row, const Values& values) {
  std::string target(row.target);
  const auto star = target.find('*');
  if (star != std::string::npos) target.replace(star, 1, id_of(values, row.command.arguments.front().name));
  if (values.is_given("limit")) target += "?limit=" + std::to_string(values.number("limit").value());
  return target;
}

std::string body_of(const CommandRow& row, const Values& values) {
  for (const auto* plan : {"plan", "PLAN"}) {
    if (values.is_given(plan)) return R"({"plan":")" + values.text(plan) + R"("})";
  }
  if (values.is_given("reason")) {
    return boost::json::serialize(
        boost::json::object{{"track_id", values.text("TRACK_ID")}, {"reason", values.text("reason")}});
  }
  if (values.is_given("DATABASE")) return R"({"database":)" + std::to_string(values.number("DATABASE").value()) + '}';
  if (values.is_given("ttl")) return R"({"ttl_s":)" + std::to_string(values.number("ttl").value()) + '}';
  return row.method == "POST" ? "{}" : "";
}

AdminCommand command_of(const Values& values) {
  const auto is_it = [&](const CommandRow& it) { return it.command.name == values.command(); };
  const auto& row = *std::ranges::find_if(kCommands, is_it);
  AdminCommand command;
  const auto method = values.is_given("reset") && values.is_on("reset") ? std::string_view("DELETE") : row.method;
  command.request = {std::string(method), target_of(row, values), {}, body_of(row, values)};
  command.shape = row.shape;
  command.json = row.action != Action::relay_messages && values.is_on("json");
  command.action = row.action;
  if (values.is_given("FILE")) command.file = values.text("FILE");
  if (values.is_given("key-secret-file")) command.key_secret_file = values.text("key-secret-file");
  command.server = parse_server_url(values.text("server"));
  if (row.action == Action::relay_messages) {
    if (!values.is_given("server")) throw settings::UsageError("--server is required: the URL of the API");
    command.request.token = read_secret(values.text("key-file"));
  } else {
    command.request.token = read_secret(values.text("token-file"));
  }
  command.ca_file = values.text("ca-file");
  return command;
}

}  // namespace

std::variant<AdminCommand, settings::ExitStatus> parse_admin_command(std::span<const char* const> words,
                                                                     const settings::Environment& environment) {
  std::vector<Command> commands;
  commands.reserve(kCommands.size());
  for (const auto& row : kCommands) commands.push_back(row.command);
  const settings::Program program{
      .name = "tonearm-admin",
      .version = TONEARM_VERSION,
      .help = "Administers a Tonearm server: accounts, keys, sessions, calls, take-downs, backup, export",
      .options = kOptions,
      .commands = commands};
  return settings::read_settings<AdminCommand>(program, words, environment, command_of);
}

}  // namespace tonearm::native
