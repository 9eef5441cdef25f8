#include "client/client_pool.h"

#include <stdexcept>
#include <utility>

namespace tonearm::native {

ClientPool::ClientPool(ServerUrl server, Options options)
    : server_(std::move(server)), options_(std::move(options)), trust_(options_.ca_file) {}

ClientResponse ClientPool::ask(const ClientRequest& request) {
  auto kept = take_kept();
  const bool may_repeat = kept != nullptr && (request.method == "GET" || request.method == "HEAD");
  if (kept == nullptr) kept = std::make_unique<ClientConnection>(server_, trust_);
  if (!may_repeat) return ask_over(std::move(kept), request);
  try {
    return ask_over(std::move(kept), request);
  } catch (const std::runtime_error&) {
    return ask_over(std::make_unique<ClientConnection>(server_, trust_), request);
  }
}

std::unique_ptr<ClientConnection> ClientPool::take_kept() {
  const std::lock_guard lock(mutex_);
  while (!kept_.empty()) {
    auto connection = std::move(kept_.back());
    kept_.pop_back();
    if (connection->is_reusable()) return connection;
  }
  return nullptr;
}

ClientResponse ClientPool::ask_over(std::unique_ptr<ClientConnection> connection, const ClientRequest& request) {
  Reception reception;
  reception.until_head = options_.time;
  reception.between_pieces = options_.time;
  reception.altogether = options_.time;
  auto response = connection->exchange(request, reception, AfterExchange::keep);
  if (connection->is_reusable()) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < options_.idle_max) kept_.push_back(std::move(connection));
  }
  return response;
}

}  // namespace tonearm::native
