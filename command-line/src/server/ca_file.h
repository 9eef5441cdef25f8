#pragma once
// The certificates that the system trusts (CLI-30).

#include <string>

namespace tonearm::cli {

/// Returns the path in `SSL_CERT_FILE`, else that of the first file that can be read, else "".
std::string system_ca_file();

}  // namespace tonearm::cli
