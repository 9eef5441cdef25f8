#include "login/login_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "files/publication.h"
#include "files/small_file.h"
#include "system/stop_signals.h"
#include "tonearm/result.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

constexpr std::array<std::pair<std::string_view, std::string Login::*>, 6> kMembers{{
    {"client_id", &Login::client_id},
    {"resource", &Login::resource},
    {"token_endpoint", &Login::token_endpoint},
    {"revocation_endpoint", &Login::revocation_endpoint},
    {"access_token", &Login::access_token},
    {"refresh_token", &Login::refresh_token},
}};

/// Creates the folder of a file, so that only its owner can open it.
void create_folder(const std::string& path) {
  namespace fs = std::filesystem;
  const auto folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.parent_path().empty()) fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw Failure(folder.string() + ": cannot be created: " + std::strerror(errno));
  }
}

std::string text_of(const std::map<std::string, Login>& logins) {
  json::object all;
  for (const auto& [api, login] : logins) {
    json::object members;
    for (const auto& [name, member] : kMembers) members[name] = login.*member;
    all[api] = std::move(members);
  }
  return json::serialize(all) + '\n';
}

}  // namespace

/// Waits until no other process holds the lock. The file of the lock remains.
class LoginFile::Lock {
 public:
  explicit Lock(const std::string& path) : file_(open(path)) {
    int status = 0;
    do {
      status = ::flock(file_, LOCK_EX);
    } while (status != 0 && errno == EINTR);
    if (status == 0) return;
    const std::string reason = std::strerror(errno);
    ::close(file_);
    throw Failure(path + ": cannot be locked: " + reason);
  }
  ~Lock() { ::close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  static int open(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) throw Failure(path + ": cannot be opened: " + std::strerror(errno));
    return file;
  }

  int file_;
};

std::optional<Login> LoginFile::find(const std::string& api) const {
  const auto logins = read();
  const auto found = logins.find(api);
  return found == logins.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Login> LoginFile::replace(const std::string& api, const Login& login) const {
  create_folder(path_);
  const Lock lock(path_ + ".lock");
  auto logins = read();
  const auto found = logins.find(api);
  auto before = found == logins.end() ? std::nullopt : std::optional(found->second);
  logins[api] = login;
  write(logins);
  return before;
}

std::optional<Login> LoginFile::remove(const std::string& api) const {
  if (!find(api)) return std::nullopt;
  const Lock lock(path_ + ".lock");
  auto logins = read();
  auto node = logins.extract(api);
  if (node.empty()) return std::nullopt;
  write(logins);
  return std::move(node.mapped());
}

std::string LoginFile::renew(const std::string& api, const std::string& refused,
                             const std::function<Login(const Login&)>& refresh) const {
  const Lock lock(path_ + ".lock");
  auto logins = read();
  const auto found = logins.find(api);
  if (found == logins.end()) throw LoginFileError("the login to " + api + " was ended by another command");
  if (found->second.access_token != refused) return found->second.access_token;
  const native::StopSignals finish;  // Ctrl-C must not lose the new tokens, because the old ones have ended
  native::Publication file(path_, native::Readers::owner);  // throws before the old ones end
  found->second = refresh(found->second);
  file.write(text_of(logins));
  file.publish();
  return found->second.access_token;
}

LoginFile::Logins LoginFile::read() const {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return {};
  std::string text;
  try {
    text = native::read_private_secret(path_);
  } catch (const std::runtime_error& failure) {
    throw LoginFileError(failure.what());
  }
  json::error_code damage;
  const auto value = json::parse(text, damage);
  if (damage || !value.is_object()) throw LoginFileError(path_ + " is damaged: delete it and use tonearm login");
  Logins logins;
  for (const auto& [api, members] : value.get_object()) {
    auto& login = logins[std::string(api)];
    for (const auto& [name, member] : kMembers) {
      const auto* const text_value = members.is_object() ? members.get_object().if_contains(name) : nullptr;
      if (text_value == nullptr || !text_value->is_string()) {
        throw LoginFileError(path_ + " is damaged: delete it and use tonearm login");
      }
      login.*member = std::string(text_value->get_string());
    }
  }
  return logins;
}

void LoginFile::write(const Logins& logins) const {
  if (logins.empty()) {
    std::filesystem::remove(path_);
    return;
  }
  native::publish_private_file(path_, text_of(logins));
}

}  // namespace tonearm::cli
