#pragma once
// Small files that an operator writes: secrets and tokens.

#include <string>

namespace tonearm::native {

/// The content of a file of at most 64 KiB, without white space around it (PROGRAM-3). Throws std::runtime_error, with
/// the path, where it cannot be read, is empty, or where everybody can read or write it.
std::string read_secret(const std::string& path);

/// The same for a secret of one person: throws where anybody but its owner may read or write the file, wherever it
/// lies (CLI-3).
std::string read_private_secret(const std::string& path);

/// The same for a file that is no secret and decides what is trusted. Throws where everybody can write to it.
std::string read_trusted(const std::string& path);

/// The same for a secret that this program is to guard (PROGRAM-10). Throws also where it is easy to guess: shorter
/// than 16 characters, or of fewer than six different ones.
std::string read_own_secret(const std::string& path);

}  // namespace tonearm::native
