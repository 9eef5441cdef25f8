#include "lossy_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tonearm::test {
namespace {

constexpr int kLookMs = 20;
constexpr std::size_t kBuffer = 65'536;

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error(path + " is too long for a socket");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

/// What is there now; empty at the end.
std::string receive(int from) {
  std::string bytes(kBuffer, '\0');
  const ssize_t size = recv(from, bytes.data(), bytes.size(), 0);
  bytes.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return bytes;
}

bool send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

LossyProxy::LossyProxy(std::string server_socket)
    : server_socket_(std::move(server_socket)), listener_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_un address = address_of(folder_.path() + "/.s.PGSQL.5432");
  constexpr int kBacklog = 64;
  if (listener_ < 0 || bind(listener_, generic(address), sizeof address) != 0 || listen(listener_, kBacklog) != 0) {
    throw std::runtime_error("the proxy cannot listen");
  }
  accepting_ = std::thread([this] { accept_all(); });
}

LossyProxy::~LossyProxy() {
  ends_ = true;
  accepting_.join();
  for (auto& relay : relays_) relay.join();
  for (const Late& late : late_) close(late.server);
  close(listener_);
}

void LossyProxy::accept_all() {
  while (!ends_) {
    pollfd watched{listener_, POLLIN, 0};
    if (poll(&watched, 1, kLookMs) <= 0) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    relays_.emplace_back([this, client] { relay(client); });
  }
}

int LossyProxy::connect_to_server() const {
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(server_socket_);
  if (connect(server, generic(address), sizeof address) != 0) {
    close(server);
    return -1;
  }
  return server;
}

void LossyProxy::lose_answer(int server, const std::string& bytes) {
  if (send_all(server, bytes)) receive(server);
}

void LossyProxy::stay_silent(int client) const {
  while (!ends_) {
    pollfd watched{client, POLLIN, 0};
    if (poll(&watched, 1, kLookMs) > 0 && receive(client).empty()) return;
  }
}

void LossyProxy::relay(int client) {
  if (is_silent_) {
    stay_silent(client);
    close(client);
    return;
  }
  const int server = connect_to_server();
  bool keeps_server = false;
  while (!ends_ && server >= 0) {
    std::array<pollfd, 2> watched{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
    if (poll(watched.data(), watched.size(), kLookMs) <= 0) continue;
    if (watched[1].revents != 0) {
      const std::string bytes = receive(server);
      if (bytes.empty() || !send_all(client, bytes)) break;
    }
    if (watched[0].revents == 0) continue;
    const std::string bytes = receive(client);
    if (bytes.empty()) break;
    const Loss loss = loss_.exchange(Loss::none);
    if (loss == Loss::none) {
      if (!send_all(server, bytes)) break;
      continue;
    }
    if (loss == Loss::silence) stay_silent(client);
    if (loss == Loss::answer) lose_answer(server, bytes);
    if (loss == Loss::late) {
      keeps_server = true;
      const std::lock_guard<std::mutex> lock(mutex_);
      late_.push_back({server, bytes});
    }
    break;
  }
  close(client);
  if (server >= 0 && !keeps_server) close(server);
}

void LossyProxy::deliver() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Late& late : late_) {
    lose_answer(late.server, late.bytes);
    close(late.server);
  }
  late_.clear();
}

}  // namespace tonearm::test
