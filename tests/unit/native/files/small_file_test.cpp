#include "files/small_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "scratch_folder.h"

namespace tonearm::native {
namespace {

namespace fs = std::filesystem;
using doctest::Contains;

constexpr const char* kGood = "0123456789abcdef";

TEST_CASE("PROGRAM-3: a secret is the content of its file without surrounding white space") {
  const test::ScratchFolder folder;
  CHECK(read_secret(folder.write("secret", std::string(" \n") + kGood + "\r\n")) == kGood);
}

TEST_CASE("PROGRAM-10: a secret that is easy to guess is refused, with the file's name and without the secret") {
  const test::ScratchFolder folder;
  for (const char* weak : {"1", "0123456789abcde", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abababababababababababab"}) {
    const auto path = folder.write("weak", weak);
    CHECK_THROWS_WITH_AS(read_own_secret(path), Contains(("the secret in " + path + " is easy to guess").c_str()),
                         std::runtime_error);
  }
  CHECK(read_own_secret(folder.write("strong", kGood)) == kGood);
  CHECK_THROWS_WITH_AS(read_secret(folder.write("empty", " \n")), Contains("is empty"), std::runtime_error);
}

TEST_CASE("PROGRAM-10: a secret that every user can open is refused, unless its folder is closed to them") {
  const test::ScratchFolder folder;
  const auto path = folder.write("secret", kGood);
  const auto open_to = [](const std::string& of, unsigned mode) { fs::permissions(of, static_cast<fs::perms>(mode)); };

  open_to(folder.path(), 0755);
  for (const unsigned mode : {0644U, 0604U, 0602U}) {
    open_to(path, mode);
    CHECK_THROWS_WITH_AS(read_secret(path), Contains(("chmod 600 " + path).c_str()), std::runtime_error);
  }
  open_to(path, 0640);
  CHECK(read_secret(path) == kGood);
  open_to(path, 0644);
  open_to(folder.path(), 0700);
  CHECK(read_secret(path) == kGood);
}

TEST_CASE("CLI-3: a personal secret that anybody else can open is refused in any folder") {
  const test::ScratchFolder folder;  // nobody else can enter it
  const auto path = folder.write("key", "k");
  for (const unsigned mode : {0644U, 0640U, 0620U, 0601U}) {
    fs::permissions(path, static_cast<fs::perms>(mode));
    CHECK_THROWS_WITH_AS(read_private_secret(path), Contains(("chmod 600 " + path).c_str()), std::runtime_error);
  }
  for (const unsigned mode : {0600U, 0400U}) {
    fs::permissions(path, static_cast<fs::perms>(mode));
    CHECK(read_private_secret(path) == "k");
  }
}

}  // namespace
}  // namespace tonearm::native
