#pragma once
// The certificates that the system trusts (CLI-30).

#include <string>

namespace tonearm::cli {

/// Returns the path of `SSL_CERT_FILE`, else of the first readable file that a Linux distribution has for them, else
/// "".
std::string system_ca_file();

}  // namespace tonearm::cli
