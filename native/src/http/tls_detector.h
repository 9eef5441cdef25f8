#pragma once
// The session of a TLS connection that has not begun its handshake.

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "http/session.h"

namespace tonearm::native {

/// Waits for the first byte, as Beast's detect_session does, and then hands the connection to an HTTP session. Until
/// then a TLS connection costs no more than a plain one.
std::shared_ptr<Session> make_tls_detector(IoSocket socket, std::shared_ptr<boost::asio::ssl::context> tls,
                                           SessionParts parts);

}  // namespace tonearm::native
