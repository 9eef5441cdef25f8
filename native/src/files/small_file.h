#pragma once
// Reads small files that an operator writes: secrets and tokens.

#include <string>

namespace tonearm::native {

/// Returns the content of a file of at most 64 KiB, without white space around it (PROGRAM-3). Throws
/// std::runtime_error, with the path, if the file cannot be read or is empty, or if every user can read or write it.
std::string read_secret(const std::string& path);

/// Does the same for a personal secret: throws if anybody but the owner may read or write the file, in any folder
/// (CLI-3).
std::string read_private_secret(const std::string& path);

/// Does the same for a file that is public but decides what is trusted. Throws if every user can write to it.
std::string read_trusted(const std::string& path);

/// Does the same for a secret that this program protects (PROGRAM-10). Also throws if it is easy to guess: shorter than
/// 16 characters, or with fewer than six different ones.
std::string read_own_secret(const std::string& path);

}  // namespace tonearm::native
