#include "server/ca_file.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tonearm::cli {

std::string system_ca_file() {
  constexpr std::array kFiles{
      "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Alpine
      "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, Red Hat
      "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // later Fedora
      "/etc/ssl/ca-bundle.pem",                             // openSUSE
      "/etc/ssl/cert.pem",                                  // Alpine without ca-certificates
  };
  const char* const named = std::getenv("SSL_CERT_FILE");
  if (named != nullptr && *named != '\0') return named;
  const auto* const found = std::ranges::find_if(kFiles, [](const char* file) { return ::access(file, R_OK) == 0; });
  return found == kFiles.end() ? std::string() : *found;
}

}  // namespace tonearm::cli
