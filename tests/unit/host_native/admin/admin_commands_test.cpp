#include "admin/admin_commands.h"

#include <doctest/doctest.h>

#include <vector>

#include "scratch_folder.h"

namespace tonearm::native {
namespace {

using settings::ExitStatus;

/// Parses a command; the environment names the token file.
class Operator {
 public:
  std::variant<AdminCommand, ExitStatus> parse(const std::vector<const char*>& words) const {
    return parse_admin_command(words, [&](const std::string& name) {
      return name == "TONEARM_TOKEN_FILE" ? std::optional(token_) : std::nullopt;
    });
  }
  int status(const std::vector<const char*>& words) const {
    const auto parsed = parse(words);
    const auto* end = std::get_if<ExitStatus>(&parsed);
    return end == nullptr ? -1 : end->status;
  }

 private:
  test::ScratchFolder folder_;
  std::string token_ = folder_.write("token", "a-token-of-the-tests\n");
};

}  // namespace

// PROGRAM-7
TEST_CASE("Each admin command sends its own request") {
  const Operator admin;
  struct Row {
    std::vector<const char*> words;
    std::string_view request;
  };
  const Row rows[] = {
      {{"account", "create", "--plan", "free"}, R"(POST /admin/accounts {"plan":"free"})"},
      {{"account", "list"}, "GET /admin/accounts "},
      {{"account", "show", "acc_1"}, "GET /admin/accounts/acc_1 "},
      {{"account", "plan", "acc_1", "pro"}, R"(PATCH /admin/accounts/acc_1 {"plan":"pro"})"},
      {{"account", "delete", "acc_1"}, "DELETE /admin/accounts/acc_1 "},
      {{"account", "move", "acc_1", "2"}, R"(POST /admin/accounts/acc_1/move {"database":2})"},
      {{"account", "limits", "acc_1"}, "GET /admin/accounts/acc_1/limits "},
      {{"account", "limits", "acc_1", "--reset"}, "DELETE /admin/accounts/acc_1/limits "},
      {{"key", "create", "acc_1", "--json"}, "POST /admin/accounts/acc_1/keys {}"},
      {{"key", "list", "acc_1"}, "GET /admin/accounts/acc_1/keys "},
      {{"key", "revoke", "k_1"}, "DELETE /admin/keys/k_1 "},
      {{"session", "create", "acc_1"}, "POST /admin/accounts/acc_1/sessions {}"},
      {{"session", "create", "acc_1", "--ttl", "60"}, R"(POST /admin/accounts/acc_1/sessions {"ttl_s":60})"},
      {{"calls", "acc_1"}, "GET /admin/accounts/acc_1/calls "},
      {{"calls", "acc_1", "--limit", "5"}, "GET /admin/accounts/acc_1/calls?limit=5 "},
      {{"usage", "acc_1"}, "GET /admin/accounts/acc_1/usage "},
      {{"backup", "copy.db"}, "GET /admin/backup "},
      {{"export", "copy.db"}, "GET /admin/state "},
      {{"import", "copy.db"}, "GET /admin/state "},
  };
  for (const auto& row : rows) {
    CAPTURE(row.request);
    const auto parsed = admin.parse(row.words);
    REQUIRE(std::holds_alternative<AdminCommand>(parsed));
    const auto& command = std::get<AdminCommand>(parsed);
    CHECK(command.request.method + ' ' + command.request.target + ' ' + command.request.body == row.request);
    CHECK(command.request.token == "a-token-of-the-tests");
    CHECK(command.server.port == "8081");
    CHECK(command.file == (row.words.back() == std::string("copy.db") ? "copy.db" : ""));
  }
}

TEST_CASE("Options of the program are allowed before and after a command") {
  const Operator admin;
  for (const auto& words : {std::vector<const char*>{"--server", "http://127.0.0.1:9", "account", "list", "--json"},
                            std::vector<const char*>{"account", "list", "--json", "--server", "http://127.0.0.1:9"}}) {
    const auto parsed = admin.parse(words);
    REQUIRE(std::holds_alternative<AdminCommand>(parsed));
    CHECK(std::get<AdminCommand>(parsed).server.port == "9");
    CHECK(std::get<AdminCommand>(parsed).json);
  }
}

TEST_CASE("Invalid admin commands end with status 2") {
  const Operator admin;
  CHECK(admin.status({}) == 2);
  CHECK(admin.status({"account"}) == 2);
  CHECK(admin.status({"account", "create"}) == 2);
  CHECK(admin.status({"account", "create", "--plan", "gold"}) == 2);
  CHECK(admin.status({"account", "plan", "acc_1", "gold"}) == 2);
  CHECK(admin.status({"account", "show", "a/../b"}) == 2);
  CHECK(admin.status({"session", "create", "acc_1", "--ttl", "soon"}) == 2);
  CHECK(admin.status({"key", "list", "acc_1", "more"}) == 2);
  CHECK(admin.status({"--help"}) == 0);
  CHECK(admin.status({"account", "--help"}) == 0);
}

}  // namespace tonearm::native
