#include "http/tls_context.h"

#include <openssl/ssl.h>

#include <stdexcept>

namespace tonearm::native {
namespace {

namespace ssl = boost::asio::ssl;

// Mozilla's intermediate configuration, version 5.7: only forward secrecy and authenticated encryption. All ciphers of
// TLS 1.3 have both.
constexpr const char* kTls12Ciphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
    "DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305";
constexpr const char* kGroups = "X25519:P-256:P-384:ffdhe2048:ffdhe3072";
constexpr long kSessionsMax = 4'096;

}  // namespace

std::shared_ptr<ssl::context> make_tls_context(const TlsFiles& files) {
  if (files.certificate.empty()) return nullptr;
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  auto* const handle = context->native_handle();
  context->set_options(ssl::context::default_workarounds | ssl::context::single_dh_use);
  // The key of a ticket decrypts all sessions that it resumes. Renegotiation costs the server more than the client.
  SSL_CTX_set_options(handle, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(handle, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_sess_set_cache_size(handle, kSessionsMax);
  const bool is_set = SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION) == 1 &&
                      SSL_CTX_set_cipher_list(handle, kTls12Ciphers) == 1 &&
                      SSL_CTX_set1_groups_list(handle, kGroups) == 1 && SSL_CTX_set_dh_auto(handle, 1) == 1;
  if (!is_set) throw std::runtime_error("this OpenSSL does not support the required TLS settings");
  boost::system::error_code error;
  context->use_certificate_chain_file(files.certificate, error);
  if (error) throw std::runtime_error("cannot use the certificate " + files.certificate + ": " + error.message());
  context->use_private_key_file(files.key, ssl::context::pem, error);
  if (error) throw std::runtime_error("cannot use the private key " + files.key + ": " + error.message());
  return context;
}

}  // namespace tonearm::native
