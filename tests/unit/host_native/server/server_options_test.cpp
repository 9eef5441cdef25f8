#include "server/server_options.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "scratch_folder.h"

namespace tonearm::native {
namespace {

using settings::ExitStatus;
using Variables = std::map<std::string, std::string>;

settings::Environment environment_of(const Variables& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

const Variables kNeeded{{"TONEARM_CATALOG", "c"}, {"TONEARM_STATE", "s"}, {"TONEARM_ADMIN_TOKEN_FILE", "t"}};

ServerOptions options(const std::vector<const char*>& words, const Variables& variables = kNeeded) {
  auto parsed = parse_server_options(words, environment_of(variables));
  if (const auto* end = std::get_if<ExitStatus>(&parsed)) FAIL(end->errors);
  return std::get<ServerOptions>(parsed);
}

ExitStatus exit_status(const std::vector<const char*>& words, const Variables& variables = kNeeded) {
  const auto parsed = parse_server_options(words, environment_of(variables));
  const auto* end = std::get_if<ExitStatus>(&parsed);
  return end == nullptr ? ExitStatus{-1, {}, {}} : *end;
}

}  // namespace

// PROGRAM-2
TEST_CASE("Flags override the environment, which overrides the file") {
  const test::ScratchFolder folder;
  auto variables = kNeeded;
  variables["TONEARM_CONFIG"] =
      folder.write("c.toml", "listen = '127.0.0.1:1'\nadmin-listen = '127.0.0.1:2'\ncatalog = 'file'\nthreads = 3\n");
  variables["TONEARM_ADMIN_LISTEN"] = "127.0.0.1:20";
  const auto read = options({"--listen", "[::1]:100"}, variables);
  CHECK(read.listen.address == "::1");
  CHECK(read.listen.port == 100);
  CHECK(read.admin_listen.port == 20);
  CHECK(read.catalog == "c");
  CHECK(read.threads == 3);
}

// HOST-49, HOST-52
TEST_CASE("A catalog in object storage has a cache, in which the server finds the file to serve") {
  auto variables = kNeeded;
  variables["TONEARM_CATALOG"] = "s3://music/catalog.sqlite";
  variables["TONEARM_CATALOG_CACHE"] = "/cache";
  variables["TONEARM_STORAGE_REGION"] = "eu-central-1";
  const auto read = options({"--catalog-cache-size", "3", "--catalog-interval", "5"}, variables);
  CHECK(read.catalog == "/cache/catalog.sqlite");
  REQUIRE(read.remote_catalog);
  CHECK(read.remote_catalog->access.address.server.host == "music.s3.eu-central-1.amazonaws.com");
  CHECK(read.remote_catalog->access.address.target == "/catalog.sqlite");
  CHECK(read.remote_catalog->folder == "/cache");
  CHECK(read.remote_catalog->bytes_max == 3U << 20U);
  CHECK(read.remote_catalog->interval == std::chrono::seconds(5));
  CHECK_FALSE(options({}).remote_catalog);
}

// HOST-49, PROGRAM-4
TEST_CASE("An address of a catalog that cannot be used is a wrong setting") {
  auto variables = kNeeded;
  CHECK(exit_status({"--catalog-cache", "/cache"}).status == 2);
  CHECK(exit_status({"--catalog", "https://h/c"}).status == 2);
  CHECK(exit_status({"--catalog", "https://h/c", "--catalog-cache", "/cache"}).status == -1);
  CHECK(exit_status({"--catalog", "http://h/c", "--catalog-cache", "/cache"}).status == 2);
  CHECK(exit_status({"--catalog", "http://h/c", "--catalog-cache", "/cache", "--catalog-key", "k"}).status == -1);
  const auto refused = exit_status({"--catalog", "https://u:hidden@h/c", "--catalog-cache", "/cache"});
  CHECK(refused.status == 2);
  CHECK(refused.errors.find("hidden") == std::string::npos);
  variables["TONEARM_CATALOG"] = "s3://UPPER/c";
  CHECK_THROWS_AS(options({"--catalog-cache", "/cache"}, variables), settings::Failure);
}

TEST_CASE("Options have defaults") {
  const auto read = options({});
  CHECK(read.listen.address == "127.0.0.1");
  CHECK(read.listen.port == 8080);
  CHECK(read.admin_listen.port == 8081);
  CHECK(read.answer_cache_mib == 32);
  CHECK(read.log_format == LogFormat::text);
  CHECK(options({"--log-format", "json"}).log_format == LogFormat::json);
  CHECK(exit_status({"--log-format", "xml"}).status == 2);
  CHECK(read.state_reserve_mib == 64);
  CHECK(read.threads >= 1);
  CHECK(options({"--state", "postgresql://h/d"}).threads == 8 * read.threads);
  CHECK_FALSE(read.allow_evaluation);
  CHECK(read.key_secret_file.empty());
  CHECK(read.tls.certificate.empty());
  CHECK(options({"--answer-cache", "0"}).answer_cache_mib == 0);
  CHECK(options({"--allow-evaluation"}).allow_evaluation);
}

// PROGRAM-1
TEST_CASE("An invalid command line ends with status 2, help and version with 0") {
  CHECK(exit_status({"--help"}).status == 0);
  CHECK(exit_status({"--version"}).out == "tonearm-server " TONEARM_VERSION "\n");
  const std::vector<std::vector<const char*>> wrong{{"--unknown"},
                                                    {"word"},
                                                    {"--listen", "8080"},
                                                    {"--listen", ":8080"},
                                                    {"--listen", "::1:80"},
                                                    {"--listen", "127.0.0.1:"},
                                                    {"--listen", "127.0.0.1:65536"},
                                                    {"--listen", "127.0.0.1:80x"},
                                                    {"--threads", "0"},
                                                    {"--threads", "1025"},
                                                    {"--answer-cache", "-1"},
                                                    {"--tls-cert", "c"},
                                                    {"--state", "a", "--state", "b"}};
  for (const auto& words : wrong) {
    CAPTURE(words.back());
    CHECK(exit_status(words).status == 2);
  }
  CHECK(exit_status({}, {}).status == 2);
  CHECK(exit_status({"--listen", "8080"}).errors.starts_with("tonearm-server: --listen must be ADDR:PORT, such as "));
}

// MCP-20
TEST_CASE("The addresses for OAuth are given together, in the form to which clients normalize them") {
  const auto read =
      options({"--public-url", "https://api.example/", "--authorization-server", "http://127.0.0.1:8080"});
  CHECK(read.public_url == "https://api.example");
  CHECK(read.authorization_server == "http://127.0.0.1:8080");
  CHECK(options({}).public_url.empty());
  CHECK(exit_status({"--public-url", "https://api.example"}).status == 2);
  CHECK(exit_status({"--authorization-server", "https://music.example"}).status == 2);
  for (const auto* const wrong :
       {"api.example", "ftp://api.example", "https://", "https://API.example", "HTTPS://api.example",
        "https://api.example:443", "https://api.example/base", "https://api.example?x", "https://u@api.example",
        "https://api.example\"", "https://api.example#x"}) {
    CAPTURE(wrong);
    CHECK(exit_status({"--public-url", wrong, "--authorization-server", "https://music.example"}).status == 2);
  }
}

// HOST-20, HOST-21
TEST_CASE("Connections are limited in total and per client, whose address a trusted proxy may name") {
  const auto read = options({});
  CHECK(read.connections == 10'000);
  CHECK(read.connections_per_client == 256);
  CHECK(read.trusted_proxies.empty());
  CHECK(read.log_file.empty());
  const auto given = options({"--connections", "500", "--connections-per-client", "7", "--trusted-proxy", "10.0.0.0/8",
                              "--trusted-proxy", "::1", "--log-file", "l"});
  CHECK(given.connections == 500);
  CHECK(given.connections_per_client == 7);
  CHECK(given.log_file == "l");
  CHECK(contains(given.trusted_proxies, boost::asio::ip::make_address("10.1.2.3")));
  CHECK(contains(given.trusted_proxies, boost::asio::ip::make_address("::1")));
  CHECK_FALSE(contains(given.trusted_proxies, boost::asio::ip::make_address("192.0.2.1")));
  auto variables = kNeeded;
  variables["TONEARM_TRUSTED_PROXY"] = "10.0.0.0/8\nfd00::/8";
  CHECK(options({}, variables).trusted_proxies.size() == 2);
  CHECK(exit_status({"--trusted-proxy", "proxy.example"}).status == 2);
  CHECK(exit_status({"--connections", "15"}).status == 2);
  CHECK(exit_status({"--connections-per-client", "0"}).status == 2);
}

// HOST-56
TEST_CASE("A state is divided among databases of PostgreSQL that are all different, with one key secret") {
  const auto read = options({"--state", "postgresql://a:s3cret@h/1", "--state", "postgres://h/2", "--state",
                             "postgresql://h/3", "--key-secret-file", "k", "--trusted-proxy", "::1"});
  CHECK(read.state == "postgresql://a:s3cret@h/1");
  CHECK(read.more_states == std::vector<std::string>{"postgres://h/2", "postgresql://h/3"});
  auto variables = kNeeded;
  variables["TONEARM_STATE"] = "postgresql://h/1\npostgresql://h/2";
  variables["TONEARM_KEY_SECRET_FILE"] = "k";
  CHECK(options({"--trusted-proxy", "::1"}, variables).more_states.size() == 1);
  const test::ScratchFolder folder;
  const auto config =
      folder.write("c.toml", "state = ['postgresql://h/1', 'postgresql://h/2']\nkey-secret-file = 'k'\n");
  CHECK(options({"--config", config.c_str(), "--trusted-proxy", "::1"},
                {{"TONEARM_CATALOG", "c"}, {"TONEARM_ADMIN_TOKEN_FILE", "t"}})
            .more_states.size() == 1);
  const char* const kDatabase = "postgresql://a:s3cret@h/1";
  for (const char* other : {"postgresql://a:s3cret@h/1", "state.db", "mysql://a:s3cret@h/d"}) {
    CAPTURE(other);
    const auto end = exit_status({"--state", kDatabase, "--state", other, "--key-secret-file", "k"});
    CHECK(end.status == 2);
    CHECK(end.errors.find("--state") != std::string::npos);
    CHECK(end.errors.find("s3cret") == std::string::npos);
  }
  const auto end = exit_status({"--state", kDatabase, "--state", "postgresql://h/2"});
  CHECK(end.status == 2);
  CHECK(end.errors.find("--key-secret-file is required") != std::string::npos);
}

TEST_CASE("A state that is neither a file nor a PostgreSQL URL is refused without being shown") {
  for (const char* state : {"postgresql:/u:s3cret@h/d", "Postgresql://u:s3cret@h/d", "mysql://u:s3cret@h/d",
                            "host=h user=u password=s3cret", "file:/s3cret"}) {
    CAPTURE(state);
    const auto end = exit_status({"--state", state});
    CHECK(end.status == 2);
    CHECK(end.errors.find("--state") != std::string::npos);
    CHECK(end.errors.find("s3cret") == std::string::npos);
  }
  for (const char* state : {"postgresql://u:p@h/d", "postgres://h/d", "state.db", "/a/b:c", "./a:/b", ":memory:"}) {
    CHECK(options({"--state", state}).state == state);
  }
}

TEST_CASE("PROGRAM-6: the file of trusted keys is an option, and by default there is none") {
  CHECK(options({}).catalog_key.empty());
  CHECK(options({"--catalog-key", "keys.pem"}).catalog_key == "keys.pem");
}

}  // namespace tonearm::native
