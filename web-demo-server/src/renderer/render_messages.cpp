#include "renderer/render_messages.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tonearm::web {
namespace {

constexpr std::uint64_t kBytesMax = std::uint64_t{256} * 1024 * 1024;

bool send_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const auto sent = send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const auto received = recv(socket, data, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    data += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

bool send_text(int socket, std::string_view text) {
  const std::uint64_t size = text.size();
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);  // both processes are the same program
  bytes += text;
  return send_all(socket, bytes.data(), bytes.size());
}

std::optional<std::string> receive_text(int socket) {
  std::uint64_t size = 0;
  std::string bytes(sizeof size, '\0');
  if (!receive_all(socket, bytes.data(), bytes.size())) return std::nullopt;
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size > kBytesMax) return std::nullopt;
  bytes.resize(size);
  if (!receive_all(socket, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

}  // namespace

bool send_render_message(int socket, std::string_view first, std::string_view second) {
  return send_text(socket, first) && send_text(socket, second);
}

std::optional<RenderMessage> receive_render_message(int socket) {
  auto first = receive_text(socket);
  if (!first) return std::nullopt;
  auto second = receive_text(socket);
  if (!second) return std::nullopt;
  return RenderMessage{std::move(*first), std::move(*second)};
}

}  // namespace tonearm::web
