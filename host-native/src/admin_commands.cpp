#include "admin_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>

#include "small_file.h"

namespace tonearm::native {
namespace {

using Takes = SettingRow::Takes;

constexpr std::array<SettingRow, 3> kRows{{
    {"server", Takes::value, "URL of the admin interface (default http://127.0.0.1:8081)"},
    {"token-file", Takes::value, "FILE with its bearer token"},
    {"ca-file", Takes::value, "FILE, PEM certificates to trust with https instead of the system's"},
}};

/// What a command takes behind its name.
enum class Argument : std::uint8_t { none, plan_flag, account, account_plan, account_ttl, account_limit, key, file };

struct CommandRow {
  std::string_view group;  // empty: the command stands by itself
  std::string_view name;
  Argument argument;
  Shape shape;
  std::string_view method;
  std::string_view target;  // `*` stands for the account or the key
  std::string_view help;
};

constexpr std::array<CommandRow, 12> kCommands{{
    {"account", "create", Argument::plan_flag, Shape::fields, "POST", "/admin/accounts", "Make an account"},
    {"account", "list", Argument::none, Shape::accounts, "GET", "/admin/accounts", "List all accounts"},
    {"account", "show", Argument::account, Shape::fields, "GET", "/admin/accounts/*", "Show an account"},
    {"account", "plan", Argument::account_plan, Shape::fields, "PATCH", "/admin/accounts/*", "Change the plan"},
    {"account", "delete", Argument::account, Shape::fields, "DELETE", "/admin/accounts/*",
     "Delete an account with all that belongs to it"},
    {"key", "create", Argument::account, Shape::fields, "POST", "/admin/accounts/*/keys",
     "Make an API key; it is shown this once"},
    {"key", "list", Argument::account, Shape::keys, "GET", "/admin/accounts/*/keys", "List the keys of an account"},
    {"key", "revoke", Argument::key, Shape::fields, "DELETE", "/admin/keys/*", "Revoke a key at once"},
    {"session", "create", Argument::account_ttl, Shape::fields, "POST", "/admin/accounts/*/sessions",
     "Make a session key for a first-party site"},
    {"", "calls", Argument::account_limit, Shape::calls, "GET", "/admin/accounts/*/calls",
     "List the latest calls of an account"},
    {"", "usage", Argument::account, Shape::days, "GET", "/admin/accounts/*/usage", "Count its calls by day"},
    {"", "backup", Argument::file, Shape::fields, "GET", "/admin/backup",
     "Write a consistent copy of the server's state into a new FILE"},
}};

/// What the words of one command said.
struct Words {
  std::string subject;
  std::string plan;
  std::string file;
  // Whatever number is given is for the server to judge.
  std::optional<std::uint64_t> ttl_s;
  std::optional<std::uint64_t> limit;
  bool json = false;
};

void add_arguments(CLI::App& command, Argument argument, Words& words) {
  const std::string plans = "free, pro or unlimited";
  const bool of_account = argument == Argument::account || argument == Argument::account_plan ||
                          argument == Argument::account_ttl || argument == Argument::account_limit;
  if (of_account) command.add_option("ACCOUNT", words.subject, "acc_...")->required();
  if (argument == Argument::key) command.add_option("KEY_ID", words.subject, "as key list shows it")->required();
  const auto known = CLI::IsMember({"free", "pro", "unlimited"});
  if (argument == Argument::plan_flag) command.add_option("--plan", words.plan, plans)->required()->check(known);
  if (argument == Argument::account_plan) command.add_option("PLAN", words.plan, plans)->required()->check(known);
  if (argument == Argument::account_ttl) {
    command.add_option("--ttl", words.ttl_s, "SECONDS, at most 43200");
  }
  if (argument == Argument::file) command.add_option("FILE", words.file, "that does not exist yet")->required();
  if (argument == Argument::account_limit) command.add_option("--limit", words.limit, "how many at most");
  command.add_flag("--json", words.json, "Print the answer as it came");
}

/// An id goes into a path: nothing but what ids hold may stand in it.
std::string checked_id(const std::string& id) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (id.empty() || !std::all_of(id.begin(), id.end(), fits)) throw UsageFault("this is no id: " + id);
  return id;
}

std::string target_of(const CommandRow& row, const Words& words) {
  std::string target(row.target);
  const auto star = target.find('*');
  if (star != std::string::npos) target.replace(star, 1, checked_id(words.subject));
  if (words.limit) target += "?limit=" + std::to_string(*words.limit);
  return target;
}

std::string body_of(const CommandRow& row, const Words& words) {
  if (!words.plan.empty()) return R"({"plan":")" + words.plan + R"("})";
  if (words.ttl_s) return R"({"ttl_s":)" + std::to_string(*words.ttl_s) + '}';
  return row.method == "POST" ? "{}" : "";
}

struct Program {
  CLI::App app{"Administers Tonearm: accounts, keys, sessions, calls, backup", "tonearm-admin"};
  Settings settings{app, kRows};
  std::array<Words, kCommands.size()> words;
  std::array<CLI::App*, kCommands.size()> commands{};

  Program() {
    app.set_version_flag("--version", std::string("tonearm-admin ") + TONEARM_VERSION);
    app.require_subcommand(1);
    app.fallthrough();
    for (std::size_t i = 0; i < kCommands.size(); ++i) {
      const auto& row = kCommands[i];
      commands[i] = parent(row.group)->add_subcommand(std::string(row.name), std::string(row.help));
      commands[i]->fallthrough();
      add_arguments(*commands[i], row.argument, words[i]);
    }
  }

  CLI::App* parent(std::string_view group) {
    if (group.empty()) return &app;
    const auto known = app.get_subcommands([&](const CLI::App* it) { return it->get_name() == group; });
    if (!known.empty()) return known.front();
    auto* added = app.add_subcommand(std::string(group), "Commands on each " + std::string(group));
    added->require_subcommand(1);
    added->fallthrough();
    return added;
  }

  AdminCommand chosen() const {
    const auto parsed = std::find_if(commands.begin(), commands.end(), [](const CLI::App* it) { return it->parsed(); });
    const auto index = static_cast<std::size_t>(parsed - commands.begin());
    const auto& row = kCommands[index];
    AdminCommand command;
    command.request = {std::string(row.method), target_of(row, words[index]), {}, body_of(row, words[index])};
    command.shape = row.shape;
    command.json = words[index].json;
    command.download_file = words[index].file;
    return command;
  }
};

}  // namespace

std::variant<AdminCommand, EarlyEnd> parse_admin_command(std::span<const char* const> words,
                                                         const Environment& environment) {
  Program program;
  if (auto end = parse_words(program.app, words)) return *std::move(end);
  try {
    program.settings.complete(environment);
    auto command = program.chosen();
    command.server = parse_server_url(program.settings.text_or("server", "http://127.0.0.1:8081"));
    command.request.token = read_secret(program.settings.required("token-file"));
    command.ca_file = program.settings.text_or("ca-file", "");
    return command;
  } catch (const UsageFault& fault) {
    return EarlyEnd{2, {}, std::string("tonearm-admin: ") + fault.what() + "\nRun with --help for more.\n"};
  }
}

}  // namespace tonearm::native
