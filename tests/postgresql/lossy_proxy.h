#pragma once
// A proxy between a client and a PostgreSQL server on Unix sockets that drops selected data once.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "postgresql_folder.h"

namespace tonearm::test {

class LossyProxy {
 public:
  /// What happens to the next bytes of the client.
  enum class Loss {
    none,
    answer,   // they reach the server; its reply and the connection are lost
    query,    // they and the connection are lost
    silence,  // they and all later bytes are lost; the connection stays open
    late,     // the client is disconnected; they reach the server when `deliver` is called
  };

  explicit LossyProxy(std::string server_socket);
  ~LossyProxy();
  LossyProxy(const LossyProxy&) = delete;
  LossyProxy& operator=(const LossyProxy&) = delete;

  /// The folder of its socket, for libpq's `host`.
  const std::string& host() const { return folder_.path(); }
  void lose(Loss loss) { loss_ = loss; }
  /// From now on accepts connections but never replies.
  void fall_silent() { is_silent_ = true; }
  void speak() { is_silent_ = false; }
  /// Delivers the late bytes and waits for the server's reply.
  void deliver();

 private:
  struct Late {
    int server = -1;
    std::string bytes;
  };

  void accept_all();
  void relay(int client);
  void stay_silent(int client) const;
  void lose_answer(int server, const std::string& bytes);
  int connect_to_server() const;

  std::string server_socket_;
  PostgresqlFolder folder_;
  int listener_;
  std::atomic<bool> ends_ = false;
  std::atomic<bool> is_silent_ = false;
  std::atomic<Loss> loss_ = Loss::none;
  std::mutex mutex_;  // guards the two members below
  std::vector<std::thread> relays_;
  std::vector<Late> late_;
  std::thread accepting_;
};

}  // namespace tonearm::test
