#include "client/client_pool.h"

#include <stdexcept>
#include <utility>

namespace tonearm::native {

ClientPool::ClientPool(ServerUrl server, Options options)
    : server_(std::move(server)), options_(std::move(options)), trust_(options_.ca_file) {}

ClientResponse ClientPool::send(const ClientRequest& request) {
  auto idle = take_idle();
  const bool may_retry = idle != nullptr && (request.method == "GET" || request.method == "HEAD");
  if (idle == nullptr) idle = std::make_unique<ClientConnection>(server_, trust_);
  if (!may_retry) return send_over(std::move(idle), request);
  try {
    return send_over(std::move(idle), request);
  } catch (const ClientTimeout&) {
    throw;
  } catch (const std::runtime_error&) {
    return send_over(std::make_unique<ClientConnection>(server_, trust_), request);
  }
}

std::unique_ptr<ClientConnection> ClientPool::take_idle() {
  const std::lock_guard lock(mutex_);
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    if (connection->is_reusable()) return connection;
  }
  return nullptr;
}

ClientResponse ClientPool::send_over(std::unique_ptr<ClientConnection> connection, const ClientRequest& request) {
  Reception reception;
  reception.until_head = options_.time;
  reception.between_pieces = options_.time;
  reception.total = options_.time;
  reception.body_bytes_max = options_.body_bytes_max;
  reception.bodies = &bodies_;
  auto response = connection->exchange(request, reception, AfterExchange::keep);
  if (connection->is_reusable()) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < options_.idle_max) idle_.push_back(std::move(connection));
  }
  return response;
}

}  // namespace tonearm::native
