#include "object_store/s3_credentials.h"

#include <algorithm>

#include "files/small_file.h"
#include "tonearm/http_fields.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

void check_credentials(const S3Credentials& credentials) {
  if (credentials.access_key.empty() || credentials.secret_key.empty()) {
    throw Failure("the credentials of the store need both an access key and a secret key");
  }
  if (!is_printable(credentials.access_key) || !is_printable(credentials.secret_key) ||
      !is_printable(credentials.session_token)) {
    throw Failure("the credentials of the store contain spaces or other characters than printable ASCII");
  }
}

}  // namespace

S3Credentials parse_credentials(std::string_view text) {
  S3Credentials credentials;
  bool is_default = true;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = http_fields::trimmed(line);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) is_default = line == "[default]";
    const auto equals = line.find('=');
    if (!is_default || equals == std::string_view::npos || line.starts_with('#') || line.starts_with(';')) continue;
    const auto name = http_fields::trimmed(line.substr(0, equals));
    const std::string value(http_fields::trimmed(line.substr(equals + 1)));
    if (name == "aws_access_key_id") credentials.access_key = value;
    if (name == "aws_secret_access_key") credentials.secret_key = value;
    if (name == "aws_session_token") credentials.session_token = value;
  }
  check_credentials(credentials);
  return credentials;
}

CredentialsSource credentials_source(const std::string& file,
                                     const std::function<std::optional<std::string>(const std::string&)>& environment) {
  if (!file.empty()) return [file] { return parse_credentials(read_secret(file)); };
  const auto variable = [&](const char* name) { return environment(name).value_or(""); };
  const S3Credentials given{variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
                            variable("AWS_SESSION_TOKEN")};
  if (given.access_key.empty() && given.secret_key.empty()) return [] { return std::nullopt; };
  check_credentials(given);
  return [given] { return std::optional(given); };
}

}  // namespace tonearm::native
