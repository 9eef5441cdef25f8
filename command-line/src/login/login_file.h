#pragma once
// The file with the logins of a person, one for each API (CLI-22). Only its owner can read it. Each change replaces it
// in one step, under a lock between processes.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tonearm/result.h"

namespace tonearm::cli {

/// The file is damaged, others may read or write it, or it has no login any more.
class LoginFileError : public Failure {
  using Failure::Failure;
};

/// What `tonearm login` stores for one API.
struct Login {
  std::string client_id;
  std::string resource;
  std::string token_endpoint;
  std::string revocation_endpoint;
  std::string access_token;
  std::string refresh_token;
};

class LoginFile {
 public:
  /// `path`: need not exist, nor its folder.
  explicit LoginFile(std::string path) : path_(std::move(path)) {}

  /// Returns the login of an API. Throws LoginFileError.
  std::optional<Login> find(const std::string& api) const;
  /// Stores a login and returns the one that it replaces. Throws Failure, LoginFileError; the file is then unchanged.
  std::optional<Login> replace(const std::string& api, const Login& login) const;
  /// Removes a login and returns it. Throws Failure, LoginFileError; the file is then unchanged.
  std::optional<Login> remove(const std::string& api) const;

  /// Returns an access token that differs from `refused`. If the file has none, it calls `refresh` and stores the
  /// login that this returns. Meanwhile other processes wait, because a refresh token is valid once. Throws
  /// LoginFileError if there is no login, Failure if the file cannot be written (before `refresh` if possible), and
  /// what `refresh` throws.
  std::string renew(const std::string& api, const std::string& refused,
                    const std::function<Login(const Login&)>& refresh) const;

 private:
  using Logins = std::map<std::string, Login>;  // by the address of the API
  class Lock;

  Logins read() const;
  /// Removes the file if there are no logins.
  void write(const Logins& logins) const;

  std::string path_;
};

}  // namespace tonearm::cli
