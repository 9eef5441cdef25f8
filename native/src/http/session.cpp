#include "http/session.h"

#include <utility>

#include "http/http_session.h"
#include "http/tls_detector.h"

namespace tonearm::native {

std::shared_ptr<Session> make_session(IoSocket socket, std::shared_ptr<boost::asio::ssl::context> tls,
                                      SessionParts parts) {
  if (tls != nullptr) return make_tls_detector(std::move(socket), std::move(tls), std::move(parts));
  return std::make_shared<HttpSession<IoSocket>>(std::move(socket), std::move(parts));
}

}  // namespace tonearm::native
