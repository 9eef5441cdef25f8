#pragma once
// Makes the session of a connection, which reads requests, lets the handler answer them, and writes the responses in
// order. A session runs on its connection's I/O thread and posts what may wait to the worker pool.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "http/connection_table.h"
#include "http/exchange.h"
#include "http/io_threads.h"

namespace tonearm::native {

/// The parts of a session. The references outlive it.
struct SessionParts {
  SessionContext& context;
  ConnectionTable& table;
  IoThread& thread;
  Connection& connection;
  std::string client{};            // its address
  bool from_proxy = false;         // a trusted one: X-Forwarded-For names the client
  std::function<void()> on_end{};  // called once, from the session's destructor
};

/// The socket's executor is that of `parts.thread`. `tls`: null for plain HTTP. The session keeps itself alive while
/// operations are pending.
std::shared_ptr<Session> make_session(IoSocket socket, std::shared_ptr<boost::asio::ssl::context> tls,
                                      SessionParts parts);

}  // namespace tonearm::native
