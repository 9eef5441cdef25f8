#pragma once
// Stands between a client and a PostgreSQL server on Unix sockets, and loses what it is told to lose, once.

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
  /// What becomes of the next bytes of the client.
  enum class Loss {
    none,
    answer,   // they reach the server, whose answer is lost with the connection
    query,    // they are lost with the connection
    silence,  // they are lost, and so is all that follows, and the connection stays
    late,     // the client is cut off, and they reach the server when `deliver` is called
  };

  explicit LossyProxy(std::string server_socket);
  ~LossyProxy();
  LossyProxy(const LossyProxy&) = delete;
  LossyProxy& operator=(const LossyProxy&) = delete;

  /// The folder of its socket, where libpq looks for it as `host`.
  const std::string& host() const { return folder_.path(); }
  void lose(Loss loss) { loss_ = loss; }
  /// From now on connections are taken, and nothing is answered on them.
  void fall_silent() { is_silent_ = true; }
  void speak() { is_silent_ = false; }
  /// Waits until the server has answered what comes late.
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
  std::mutex mutex_;  // guards the next two
  std::vector<std::thread> relays_;
  std::vector<Late> late_;
  std::thread accepting_;
};

}  // namespace tonearm::test
