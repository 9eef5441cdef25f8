#include "raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace tonearm::test {
namespace {

constexpr int kPatienceMs = 5'000;

}  // namespace

RawClient::RawClient(std::uint16_t port, const RawClientOptions& options)
    : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  auto source = address;
  source.sin_port = 0;
  source.sin_addr.s_addr = inet_addr(options.from);
  const auto* generic_source = static_cast<const sockaddr*>(static_cast<const void*>(&source));
  if (options.receive_bytes > 0) {
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &options.receive_bytes, sizeof options.receive_bytes);
  }
  if (socket_ < 0 || bind(socket_, generic_source, sizeof source) != 0 ||
      connect(socket_, generic, sizeof address) != 0)
    throw std::runtime_error("cannot connect");
}

RawClient::~RawClient() { close(socket_); }

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void RawClient::end() { shutdown(socket_, SHUT_WR); }

bool RawClient::receive() {
  pollfd waiting{socket_, POLLIN, 0};
  if (ended_ || poll(&waiting, 1, kPatienceMs) <= 0) return false;
  std::array<char, 16'384> bytes;
  const auto count = recv(socket_, bytes.data(), bytes.size(), 0);
  if (count <= 0) {
    ended_ = true;
    return false;
  }
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<Response> RawClient::read_answer(BodyIs body) {
  auto end = buffer_.find("\r\n\r\n");
  for (; end == std::string::npos; end = buffer_.find("\r\n\r\n")) {
    if (!receive()) return std::nullopt;
  }
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  Response response;
  if (buffer_.compare(0, kVersion.size(), kVersion) != 0) return std::nullopt;
  response.status = std::stoi(buffer_.substr(kVersion.size(), 3));
  for (auto at = buffer_.find("\r\n") + 2; at < end + 2;) {
    const auto colon = buffer_.find(": ", at);
    const auto line_end = buffer_.find("\r\n", at);
    response.headers.push_back({buffer_.substr(at, colon - at), buffer_.substr(colon + 2, line_end - colon - 2)});
    at = line_end + 2;
  }
  buffer_.erase(0, end + 4);
  const auto* length = find_header(response.headers, "Content-Length");
  if (body == BodyIs::absent || length == nullptr) return response;
  const auto size = static_cast<std::size_t>(std::stoull(*length));
  while (buffer_.size() < size) {
    if (!receive()) return std::nullopt;
  }
  response.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return response;
}

bool RawClient::read_text(std::string_view text) {
  while (buffer_.size() < text.size()) {
    if (!receive()) return false;
  }
  if (buffer_.compare(0, text.size(), text) != 0) return false;
  buffer_.erase(0, text.size());
  return true;
}

std::size_t RawClient::receive(std::size_t bytes_max) {
  std::string bytes(bytes_max, '\0');
  const auto count = recv(socket_, bytes.data(), bytes.size(), 0);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool RawClient::read_end() {
  receive();
  return ended_ && buffer_.empty();
}

}  // namespace tonearm::test
