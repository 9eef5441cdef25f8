#include "renderer/render_messages.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tonearm::web {
namespace {

constexpr std::uint64_t kBytesMax = std::uint64_t{64} * 1024 * 1024;
constexpr std::size_t kPieceBytes = std::size_t{1024} * 1024;

/// Waits until the socket is ready for `events`.
void wait_for(int socket, short events, RenderDeadline until) {
  constexpr std::chrono::milliseconds kStep{60'000};
  for (;;) {
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero()) throw RenderLate();
    pollfd polled{socket, events, 0};
    const auto step =
        std::min(std::chrono::ceil<std::chrono::milliseconds>(std::min<std::chrono::nanoseconds>(left, kStep)), kStep);
    const int ready = poll(&polled, 1, static_cast<int>(step.count()));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw RenderEnded();
  }
}

/// Whether a call that failed may be repeated after a wait.
bool is_transient() { return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK; }

void send_all(int socket, const char* data, std::size_t size, RenderDeadline until) {
  while (size > 0) {
    wait_for(socket, POLLOUT, until);
    const auto sent = send(socket, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && is_transient()) continue;
    if (sent <= 0) throw RenderEnded();
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

void receive_all(int socket, char* data, std::size_t size, RenderDeadline until) {
  while (size > 0) {
    wait_for(socket, POLLIN, until);
    const auto received = recv(socket, data, size, MSG_DONTWAIT);
    if (received < 0 && is_transient()) continue;
    if (received <= 0) throw RenderEnded();
    data += received;
    size -= static_cast<std::size_t>(received);
  }
}

void send_text(int socket, std::string_view text, RenderDeadline until) {
  const std::uint64_t size = text.size();
  std::array<char, sizeof size> bytes{};
  std::memcpy(bytes.data(), &size, sizeof size);  // both processes are the same program
  send_all(socket, bytes.data(), bytes.size(), until);
  send_all(socket, text.data(), text.size(), until);
}

std::string receive_text(int socket, RenderDeadline until) {
  std::uint64_t size = 0;
  std::array<char, sizeof size> bytes{};
  receive_all(socket, bytes.data(), bytes.size(), until);
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size > kBytesMax) throw RenderEnded();
  std::string text;
  while (text.size() < size) {  // no memory for what has not arrived
    const auto begin = text.size();
    text.resize(begin + std::min<std::size_t>(kPieceBytes, size - begin));
    receive_all(socket, text.data() + begin, text.size() - begin, until);
  }
  return text;
}

}  // namespace

void send_render_message(int socket, std::string_view first, std::string_view second, RenderDeadline until) {
  send_text(socket, first, until);
  send_text(socket, second, until);
}

RenderMessage receive_render_message(int socket, RenderDeadline until) {
  auto first = receive_text(socket, until);
  return {std::move(first), receive_text(socket, until)};
}

}  // namespace tonearm::web
