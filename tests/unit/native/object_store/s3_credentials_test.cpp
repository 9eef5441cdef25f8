#include "object_store/s3_credentials.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <map>
#include <string>

#include "scratch_folder.h"
#include "tonearm/result.h"

using namespace tonearm::native;

namespace {

using AwsVariables = std::map<std::string, std::string>;

CredentialsSource source_of(const std::string& file, const AwsVariables& variables) {
  return credentials_source(file, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

const std::string kFile =
    "# of the catalog\n[other]\naws_access_key_id = WRONG\n\n[default]\r\naws_access_key_id=AKID\r\n"
    "aws_secret_access_key = se/cr+et= \nregion = x\naws_session_token=tok\n[last]\naws_secret_access_key = wrong\n";

}  // namespace

// HOST-50
TEST_CASE("a file of credentials has a section default, in the form of AWS") {
  const auto read = parse_credentials(kFile);
  CHECK(read.access_key == "AKID");
  CHECK(read.secret_key == "se/cr+et=");
  CHECK(read.session_token == "tok");
  CHECK(parse_credentials("aws_access_key_id = A\naws_secret_access_key = B").session_token.empty());
}

// HOST-50
TEST_CASE("incomplete credentials are refused without their values") {
  for (const std::string text : {"", "aws_access_key_id = A", "aws_secret_access_key = hidden",
                                 "[other]\naws_access_key_id = A\naws_secret_access_key = hidden",
                                 "aws_access_key_id = A\naws_secret_access_key = hid den",
                                 "aws_access_key_id = A\naws_secret_access_key = hidden\xC3\xBC"}) {
    CAPTURE(text);
    try {
      parse_credentials(text);
      FAIL("accepted");
    } catch (const tonearm::Failure& failure) {
      CHECK(std::string(failure.what()).find("hid") == std::string::npos);
    }
  }
}

// HOST-50, PROGRAM-10
TEST_CASE("the file is read again for each request, and must not be readable by every user") {
  const tonearm::test::ScratchFolder folder;
  const auto path = folder.write("credentials", kFile);
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  const auto source = source_of(path, {{"AWS_ACCESS_KEY_ID", "ignored"}});
  CHECK(source()->access_key == "AKID");
  folder.write("credentials", "aws_access_key_id = NEW\naws_secret_access_key = B\n");
  CHECK(source()->access_key == "NEW");
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
  CHECK_THROWS_AS(source(), std::runtime_error);
}

// HOST-50
TEST_CASE("without a file the environment has the credentials, or requests are not signed") {
  CHECK_FALSE(source_of({}, {})());
  const auto read = source_of({}, {{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "B"}})();
  REQUIRE(read);
  CHECK(read->secret_key == "B");
  CHECK_THROWS_AS(source_of({}, {{"AWS_ACCESS_KEY_ID", "A"}}), tonearm::Failure);
}
