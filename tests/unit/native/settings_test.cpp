#include "server_options.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "admin_commands.h"

namespace tonearm::native {
namespace {

/// A file that goes with the object.
class TextFile {
 public:
  explicit TextFile(std::string_view text)
      : path_(std::filesystem::temp_directory_path() / ("tonearm-settings-" + std::to_string(getpid()))) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

const Variables kNeeded{{"TONEARM_CATALOG", "c"}, {"TONEARM_STATE", "s"}, {"TONEARM_ADMIN_TOKEN_FILE", "t"}};

ServerOptions options(const std::vector<const char*>& words, const Variables& variables = kNeeded) {
  auto parsed = parse_server_options(words, environment_of(variables));
  if (const auto* end = std::get_if<EarlyEnd>(&parsed)) FAIL(end->errors);
  return std::get<ServerOptions>(parsed);
}

int early_status(const std::vector<const char*>& words, const Variables& variables = kNeeded) {
  const auto parsed = parse_server_options(words, environment_of(variables));
  const auto* end = std::get_if<EarlyEnd>(&parsed);
  return end == nullptr ? -1 : end->status;
}

TEST_CASE("Flags go before the environment, and that before the file") {
  const TextFile file("listen = '127.0.0.1:1'\nadmin-listen = '127.0.0.1:2'\ncatalog = 'file'\nthreads = 3\n");
  auto variables = kNeeded;
  variables["TONEARM_CONFIG"] = file.path();
  variables["TONEARM_ADMIN_LISTEN"] = "127.0.0.1:20";
  const auto read = options({"--listen", "[::1]:100"}, variables);
  CHECK(read.listen.address == "::1");
  CHECK(read.listen.port == 100);
  CHECK(read.admin_listen.port == 20);
  CHECK(read.catalog == "c");
  CHECK(read.threads == 3);
}

TEST_CASE("Switches can be set in every layer") {
  CHECK_FALSE(options({}).allow_evaluation);
  CHECK(options({"--allow-evaluation"}).allow_evaluation);
  auto variables = kNeeded;
  variables["TONEARM_ALLOW_EVALUATION"] = "true";
  CHECK(options({}, variables).allow_evaluation);
  CHECK_FALSE(options({"--allow-evaluation=false"}, variables).allow_evaluation);
  const TextFile file("allow-evaluation = true\n");
  const auto path = file.path();
  CHECK(options({"--config", path.c_str()}).allow_evaluation);
}

TEST_CASE("A wrong command line ends with status 2, help and version with 0") {
  CHECK(early_status({"--help"}) == 0);
  CHECK(early_status({"--version"}) == 0);
  CHECK(early_status({"--unknown"}) == 2);
  CHECK(early_status({"word"}) == 2);
  CHECK(early_status({}, {}) == 2);
  CHECK(early_status({"--listen", "8080"}) == 2);
  CHECK(early_status({"--listen", "::1:80"}) == 2);
  CHECK(early_status({"--listen", "127.0.0.1:65536"}) == 2);
  CHECK(early_status({"--threads", "0"}) == 2);
  CHECK(early_status({"--answer-cache", "-1"}) == 2);
  CHECK(early_status({"--tls-cert", "c"}) == 2);
  CHECK(early_status({"--state", "a", "--state", "b"}) == 2);
}

TEST_CASE("A state that is neither a file nor a URL of the driver is refused without being shown") {
  for (const char* state : {"postgresql:/u:s3cret@h/d", "Postgresql://u:s3cret@h/d", "mysql://u:s3cret@h/d",
                            "host=h user=u password=s3cret", "file:/s3cret"}) {
    CAPTURE(state);
    const auto parsed = parse_server_options(std::vector{"--state", state}, environment_of(kNeeded));
    REQUIRE(std::holds_alternative<EarlyEnd>(parsed));
    const auto& end = std::get<EarlyEnd>(parsed);
    CHECK(end.status == 2);
    CHECK(end.errors.find("--state") != std::string::npos);
    CHECK(end.errors.find("s3cret") == std::string::npos);
  }
  for (const char* state : {"postgresql://u:p@h/d", "postgres://h/d", "state.db", "/a/b:c", "./a:/b", ":memory:"}) {
    CHECK(options({"--state", state}).state == state);
  }
}

TEST_CASE("What is no fault of the command line is thrown, with its reason") {
  CHECK_THROWS_WITH(early_status({"--config", "/nowhere.toml"}), doctest::Contains("/nowhere.toml"));
  const TextFile file("listn = 'a'\n");
  const auto path = file.path();
  CHECK_THROWS_WITH(early_status({"--config", path.c_str()}), doctest::Contains("no setting listn"));
}

TEST_CASE("Each admin command asks for its own route") {
  const TextFile token("secret\n");
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
      {{"key", "create", "acc_1", "--json"}, "POST /admin/accounts/acc_1/keys {}"},
      {{"key", "list", "acc_1"}, "GET /admin/accounts/acc_1/keys "},
      {{"key", "revoke", "k_1"}, "DELETE /admin/keys/k_1 "},
      {{"session", "create", "acc_1"}, "POST /admin/accounts/acc_1/sessions {}"},
      {{"session", "create", "acc_1", "--ttl", "60"}, R"(POST /admin/accounts/acc_1/sessions {"ttl_s":60})"},
      {{"calls", "acc_1"}, "GET /admin/accounts/acc_1/calls "},
      {{"calls", "acc_1", "--limit", "5"}, "GET /admin/accounts/acc_1/calls?limit=5 "},
      {{"usage", "acc_1"}, "GET /admin/accounts/acc_1/usage "},
  };
  for (const auto& row : rows) {
    CAPTURE(row.request);
    const auto parsed = parse_admin_command(row.words, environment_of({{"TONEARM_TOKEN_FILE", token.path()}}));
    REQUIRE(std::holds_alternative<AdminCommand>(parsed));
    const auto& request = std::get<AdminCommand>(parsed).request;
    CHECK(request.method + ' ' + request.target + ' ' + request.body == row.request);
    CHECK(request.token == "secret");
  }
}

TEST_CASE("Wrong admin commands end with status 2") {
  const TextFile token("secret");
  const auto status = [&](const std::vector<const char*>& words) {
    const auto parsed = parse_admin_command(words, environment_of({{"TONEARM_TOKEN_FILE", token.path()}}));
    const auto* end = std::get_if<EarlyEnd>(&parsed);
    return end == nullptr ? -1 : end->status;
  };
  CHECK(status({}) == 2);
  CHECK(status({"account"}) == 2);
  CHECK(status({"account", "create"}) == 2);
  CHECK(status({"account", "create", "--plan", "gold"}) == 2);
  CHECK(status({"account", "show", "a/../b"}) == 2);
  CHECK(status({"session", "create", "acc_1", "--ttl", "soon"}) == 2);
  CHECK(status({"key", "list", "acc_1", "more"}) == 2);
  CHECK(status({"--help"}) == 0);
}

}  // namespace
}  // namespace tonearm::native
