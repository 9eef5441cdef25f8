#pragma once
// One connection of a client: reads requests one after the other, has a handler answer them, writes the answers in
// order. All of a session runs on the thread of its connection, and so does what the handler answers at once; other
// calls run on the worker pool.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "http/connection_table.h"
#include "http/exchange.h"
#include "http/io_threads.h"

namespace tonearm::native {

/// What a session is given of its connection. All of it outlives the session.
struct SessionParts {
  SessionContext& context;
  ConnectionTable& table;
  IoThread& thread;
  Connection& connection;
  std::string client{};            // its address
  bool from_proxy = false;         // a trusted one, so requests name their clients
  std::function<void()> on_end{};  // called once, when the session is done
};

/// The socket's executor is that of `parts.thread`. `tls`: null for plain HTTP. The session keeps itself alive while it
/// has something to do.
std::shared_ptr<Session> make_session(IoSocket socket, std::shared_ptr<boost::asio::ssl::context> tls,
                                      SessionParts parts);

}  // namespace tonearm::native
