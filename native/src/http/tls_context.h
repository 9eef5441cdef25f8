#pragma once
// What the server speaks as TLS (HOST-24). Thread-safe.

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "http/http_server.h"

namespace tonearm::native {

/// Null where `files` names none. Throws std::runtime_error, with the file, for one that cannot be used.
std::shared_ptr<boost::asio::ssl::context> make_tls_context(const TlsFiles& files);

}  // namespace tonearm::native
