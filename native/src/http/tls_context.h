#pragma once
// The TLS configuration of the server (HOST-24). Thread-safe.

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "http/http_server.h"

namespace tonearm::native {

/// Returns null if `files` names none. Throws std::runtime_error, with the file, if one cannot be used.
std::shared_ptr<boost::asio::ssl::context> make_tls_context(const TlsFiles& files);

}  // namespace tonearm::native
