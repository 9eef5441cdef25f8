#include "postgresql_server.h"

#include <libpq-fe.h>
#include <pwd.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tonearm::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUser = "postgres";  // the server refuses to run as root
constexpr std::chrono::milliseconds kLook{20};
constexpr int kLooksMax = 1'500;

std::string program(const char* name) { return std::string(TONEARM_POSTGRESQL_BIN) + '/' + name; }

/// Root can access every folder, but the server's user may not.
void check_reachable(fs::path folder, const std::string& user) {
  if (user.empty()) return;
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if ((fs::status(folder).permissions() & fs::perms::others_exec) != fs::perms::none) continue;
    throw std::runtime_error("the user " + user + ", as whom PostgreSQL runs, cannot reach " + folder.string() +
                             "; take another folder");
  }
}

void give(const std::string& folder, const std::string& user) {
  if (user.empty()) return;
  const passwd* owner = getpwnam(user.c_str());
  if (owner == nullptr || chown(folder.c_str(), owner->pw_uid, owner->pw_gid) != 0) {
    throw std::runtime_error(folder + " cannot be given to " + user);
  }
}

std::string new_socket_folder() {
  std::string name = (fs::temp_directory_path() / "tonearm-postgresql-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + " cannot be made");
  return name;
}

}  // namespace

PostgresqlServer::PostgresqlServer(const std::string& folder, std::vector<std::string> settings)
    : user_(geteuid() == 0 ? kUser : ""),
      data_(folder + "/postgresql"),
      sockets_(new_socket_folder()),
      settings_(std::move(settings)) {
  check_reachable(folder, user_);
  give(sockets_, user_);
  if (!fs::exists(data_ + "/PG_VERSION")) initialize();
  start();
}

PostgresqlServer::~PostgresqlServer() {
  stop(SIGINT);
  std::error_code ignored;
  fs::remove_all(sockets_, ignored);
}

std::string PostgresqlServer::address() const { return "host=" + sockets_ + " user=" + kUser + " dbname=postgres"; }

std::string PostgresqlServer::url() const {
  return std::string("postgresql://") + kUser + "@/postgres?host=" + sockets_;
}

void PostgresqlServer::start() {
  std::vector<std::string> command{program("postgres"), "-D", data_, "-k", sockets_, "-c", "listen_addresses="};
  for (const auto& setting : settings_) command.insert(command.end(), {"-c", setting});
  server_ = std::make_unique<Process>(command, ProcessOptions{user_, log()});
  wait_until_ready();
}

void PostgresqlServer::stop(int signal) {
  if (server_ != nullptr) server_->stop(signal);
}

void PostgresqlServer::initialize() const {
  fs::remove_all(data_);
  fs::create_directories(data_);
  fs::permissions(data_, fs::perms::owner_all);
  give(data_, user_);
  run_program({program("initdb"), "-D", data_, "-U", kUser, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"},
              {user_, log()});
}

void PostgresqlServer::wait_until_ready() {
  for (int look = 0; look < kLooksMax && server_->runs(); ++look) {
    if (PQping(address().c_str()) == PQPING_OK) return;
    std::this_thread::sleep_for(kLook);
  }
  throw std::runtime_error("PostgreSQL does not start; its log is " + log());
}

std::vector<std::string> settings_for_state() {
  return {"shared_buffers=64MB", "max_connections=60", "fsync=on", "synchronous_commit=on", "autovacuum=on"};
}

}  // namespace tonearm::test
