#pragma once
// The key with which requests to an S3 bucket are signed. It comes from a file or from the environment (HOST-50), never
// from the command line.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tonearm::native {

/// All of it is secret.
struct S3Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // empty: none
};

/// Parses the section [default] of a file in the form of AWS: `aws_access_key_id = ...`, `aws_secret_access_key`,
/// `aws_session_token`. Throws Failure, without any value, if the first two are not both there or contain anything but
/// printable ASCII.
S3Credentials parse_credentials(std::string_view text);

/// Returns the current credentials; nothing: requests are not signed. Throws std::runtime_error.
using CredentialsSource = std::function<std::optional<S3Credentials>()>;

/// `file` is read at each call, so that it may be replaced; every user of the machine must not be able to read it
/// (PROGRAM-10). If it is empty, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN are read now. Throws
/// Failure if only one of the first two is set.
CredentialsSource credentials_source(const std::string& file,
                                     const std::function<std::optional<std::string>(const std::string&)>& environment);

}  // namespace tonearm::native
