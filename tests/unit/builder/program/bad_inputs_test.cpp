#include "program/build.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/result.h"

// Errors of inputs and disks are reported with their position, and the old snapshot is unchanged.
namespace tonearm::builder {
namespace {

constexpr const char* kGoodLine =
    R"({"id":"x-1","kind":"music","title":"T","artist":"","duration_s":1,"license":"cc0","source":"a.example"})"
    "\n";

constexpr const char* kMapping =
    "name='m'\ndomain='a.example'\nid_prefix='x'\nkind='sfx'\nlicense_lists=['addresses']\n[[input]]\nfile='rows'\n"
    "format='@'\nkey='k'\n[input.fields]\ntitle={column='t'}\nduration_s={column='d',form='number'}\n"
    "license={column='l'}\n";

/// Returns the error of the build, or "built".
std::string outcome_of(const test::ScratchFolder& folder, InputChoice input, Report* report = nullptr) {
  BuildOptions options;
  options.inputs = {std::move(input)};
  options.output = folder.path("out.sqlite");
  native::OpensslHashing hashing;
  try {
    const auto result = build_catalog(options, hashing);
    if (report != nullptr) *report = result;
    return "built";
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

/// Builds in a child process with the limits of `confine`.
template <class Confine>
std::string outcome_in_child(const test::ScratchFolder& folder, const InputChoice& input, Confine confine) {
  const pid_t child = ::fork();
  if (child == 0) {
    confine();
    const auto outcome = outcome_of(folder, input);
    const bool is_rejected =
        outcome.find("cannot be") != std::string::npos || outcome.find("could not be") != std::string::npos ||
        outcome.find("full") != std::string::npos || outcome.find("File too large") != std::string::npos;
    ::_exit(outcome == "built" ? 1 : is_rejected ? 0 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "rejected" : "not rejected";
}

}  // namespace

TEST_CASE("an invalid source ends the build with file and reason, and the old snapshot is unchanged" *
          doctest::test_suite("long")) {
  const test::ScratchFolder folder;
  REQUIRE(outcome_of(folder, {"", folder.write("in.jsonl", kGoodLine)}) == "built");
  const auto before = folder.read("out.sqlite");
  struct Case {
    const char* format;
    std::string rows;
    const char* reason;
  };
  for (const auto& row :
       {Case{"json", "[{\"k\":1", "is not JSON"}, Case{"json", std::string(3U << 20U, '['), "is not JSON"},
        Case{"json", "[\"\xFF\"]", "is not JSON"}, Case{"json", "\"text\"", "neither a JSON array"},
        Case{"csv", "", "is empty"}, Case{"csv", "k,t,t\n", "occurs twice"},
        Case{"csv", "k,\"t\n", ":1: ends inside a quoted field"}, Case{"csv", "k,t,d,l\n", "no tracks to publish"}}) {
    CAPTURE(row.reason);
    const std::string_view form = kMapping;
    const auto at = form.find('@');
    const auto mapping = std::string(form.substr(0, at)).append(row.format).append(form.substr(at + 1));
    const auto path = folder.write("m.toml", mapping);
    folder.write("rows", row.rows);
    const auto outcome = outcome_of(folder, {path, folder.path()});
    CHECK(outcome.find(row.reason) != std::string::npos);
    if (outcome.find("no tracks") == std::string::npos) CHECK(outcome.find(folder.path("rows")) != std::string::npos);
    CHECK(folder.read("out.sqlite") == before);
  }
}

TEST_CASE("an invalid row is rejected with its line, and the others are read") {
  const test::ScratchFolder folder;
  auto mapping = std::string(kMapping);
  mapping.replace(mapping.find('@'), 1, "csv");
  const auto path = folder.write("m.toml", mapping);
  const std::string license = ",https://creativecommons.org/publicdomain/zero/1.0/\n";
  folder.write("rows", "k,t,d,l\n1,T\xFF,1" + license + "2,\"T\"x,1" + license + "3,T,1e999" + license + "4," +
                           std::string("a\0b", 3) + ",1" + license + "5," + std::string(2U << 20U, 'x') + ",1" +
                           license + "6,T,-1" + license + "7,T,1" + license + "8,\"T,1" + license);
  Report report;
  CHECK(outcome_of(folder, {path, folder.path()}, &report) == "built");
  CHECK(report.track_count == 2);  // 4, without its NUL, and 7
  CHECK(report.count(Reason::invalid_utf8) == 1);
  CHECK(report.count(Reason::row_broken) == 3);
  CHECK(report.count(Reason::duration_missing) == 2);
  REQUIRE(report.broken_entries().size() == 6);
  CHECK(report.broken_entries()[0].line == 2);
  CHECK(report.broken_entries()[5].line == 9);
}

TEST_CASE("a full disk or missing permissions leave the old snapshot unchanged") {
  const test::ScratchFolder folder;
  const InputChoice input{"", folder.write("in.jsonl", kGoodLine)};
  REQUIRE(outcome_of(folder, input) == "built");
  const auto before = folder.read("out.sqlite");
  for (const rlim_t bytes : {0U, 4096U, 20'000U}) {
    CAPTURE(bytes);
    CHECK(outcome_in_child(folder, input, [&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{bytes, bytes};
            ::setrlimit(RLIMIT_FSIZE, &limit);
          }) == "rejected");
    CHECK(folder.read("out.sqlite") == before);
  }
  const auto as_other_user = [] {
    if (::getuid() == 0 && ::setuid(65534) != 0) ::_exit(3);
  };
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(input.path.c_str(), 0);
  CHECK(outcome_in_child(folder, input, as_other_user) == "rejected");
  ::chmod(input.path.c_str(), 0644);
  ::chmod(folder.path().c_str(), 0555);
  CHECK(outcome_in_child(folder, input, as_other_user) == "rejected");
  ::chmod(folder.path().c_str(), 0755);
  CHECK(folder.read("out.sqlite") == before);
}

}  // namespace tonearm::builder
