#include "login/login_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::cli {
namespace {

Login login_with(const std::string& access) {
  return {.client_id = "app_1",
          .resource = "https://api.example/mcp",
          .token_endpoint = "https://site.example/oauth/token",
          .revocation_endpoint = "https://site.example/oauth/revoke",
          .access_token = access,
          .refresh_token = "refresh of " + access};
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

// CLI-22

TEST_CASE("logins of several APIs are stored in one file that only its owner can read") {
  const test::ScratchFolder folder;
  const auto path = folder.path("new/tonearm/login");
  const LoginFile file(path);
  CHECK_FALSE(file.find("https://a.example"));
  CHECK_FALSE(file.remove("https://a.example"));
  CHECK_FALSE(file.replace("https://a.example", login_with("a1")));
  CHECK_FALSE(file.replace("https://b.example", login_with("b1")));
  CHECK(mode_of(path) == 0600);
  CHECK(mode_of(folder.path("new/tonearm")) == 0700);
  CHECK(file.replace("https://a.example", login_with("a2"))->access_token == "a1");
  const auto found = LoginFile(path).find("https://a.example");
  REQUIRE(found);
  CHECK(found->refresh_token == "refresh of a2");
  CHECK(found->token_endpoint == "https://site.example/oauth/token");
  CHECK(file.remove("https://a.example")->access_token == "a2");
  CHECK_FALSE(file.find("https://a.example"));
  CHECK(file.find("https://b.example")->client_id == "app_1");
  CHECK(file.remove("https://b.example"));
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a damaged file of logins and one that others can read are rejected and stay as they are") {
  const test::ScratchFolder folder;
  const auto path = folder.path("login");
  const LoginFile file(path);
  for (const std::string text :
       {"{", "[]", R"({"https://a.example":1})", R"({"https://a.example":{"client_id":"x"}})"}) {
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    CHECK_THROWS_WITH_AS(file.find("https://a.example"),
                         (path + " is damaged: delete it and use tonearm login").c_str(), Failure);
    CHECK_THROWS_AS(file.replace("https://a.example", login_with("a")), Failure);
    CHECK(std::filesystem::file_size(path) == text.size());
  }
  std::filesystem::permissions(path, std::filesystem::perms::group_read, std::filesystem::perm_options::add);
  CHECK_THROWS_AS(file.find("https://a.example"), Failure);
}

// CLI-23

TEST_CASE("a refused token is refreshed once, however many commands need another one at once") {
  const test::ScratchFolder folder;
  const auto path = folder.path("login");
  LoginFile(path).replace("https://a.example", login_with("first"));
  std::atomic<int> refreshes = 0;
  std::vector<std::string> tokens(8);
  std::vector<std::thread> threads;
  threads.reserve(tokens.size());
  for (auto& token : tokens) {
    threads.emplace_back([&] {
      token = LoginFile(path).renew("https://a.example", "first", [&](const Login& login) {
        ++refreshes;
        CHECK(login.refresh_token == "refresh of first");
        return login_with("second");
      });
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(refreshes == 1);
  CHECK(std::set<std::string>(tokens.begin(), tokens.end()) == std::set<std::string>{"second"});
  CHECK(LoginFile(path).find("https://a.example")->refresh_token == "refresh of second");
}

TEST_CASE("a refresh that fails changes nothing, and there is none without a login") {
  const test::ScratchFolder folder;
  const LoginFile file(folder.path("login"));
  file.replace("https://a.example", login_with("first"));
  const auto fail = [](const Login&) -> Login { throw Failure("no answer"); };
  CHECK_THROWS_WITH_AS(file.renew("https://a.example", "first", fail), "no answer", Failure);
  CHECK(file.find("https://a.example")->access_token == "first");
  CHECK(file.renew("https://a.example", "older", fail) == "first");
  CHECK_THROWS_WITH_AS(file.renew("https://b.example", "x", fail),
                       "the login to https://b.example was ended by another command", Failure);
}

}  // namespace tonearm::cli
