#include "files/small_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <stdexcept>

namespace tonearm::native {
namespace {

constexpr std::size_t kBytesMax = 65'536;
constexpr std::size_t kSecretBytesMin = 16;
constexpr std::size_t kDifferentBytesMin = 6;

/// Returns whether users other than the owner and the group can search each folder above the file.
bool is_reachable_by_all(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr auto kSearch = fs::perms::others_exec;
  for (auto folder = fs::canonical(path).parent_path();; folder = folder.parent_path()) {
    if ((fs::status(folder).permissions() & kSearch) == fs::perms::none) return false;
    if (folder == folder.root_path()) return true;
  }
}

enum class Reach : std::uint8_t { open_folders, anywhere };

/// An access that others must not have. With `open_folders`, a file in a folder that they cannot enter is allowed.
struct Guard {
  mode_t forbidden;
  const char* complaint;
  const char* remedy;
  Reach reach = Reach::open_folders;
};
constexpr Guard kSecret{S_IROTH | S_IWOTH, "every user of this machine can open ",
                        ", which contains a secret: chmod 600 "};
constexpr Guard kPrivate{S_IRWXG | S_IRWXO, "users other than the owner can open ",
                         ", which contains a secret: chmod 600 ", Reach::anywhere};
constexpr Guard kTrusted{S_IWOTH, "every user of this machine can write to ",
                         ", which decides what is trusted: chmod go-w "};

/// Accepts pipes, such as `<(command)` of a shell.
void refuse_if_public(std::FILE* file, const std::string& path, const Guard& guard) {
  struct stat status {};
  if (::fstat(::fileno(file), &status) != 0) {
    throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
  }
  const bool is_open_to_all = S_ISREG(status.st_mode) && (status.st_mode & guard.forbidden) != 0;
  if (is_open_to_all && (guard.reach == Reach::anywhere || is_reachable_by_all(path)))
    throw std::runtime_error(guard.complaint + path + guard.remedy + path);
}

std::string read_whole(std::FILE* file, const std::string& path) {
  std::string text(kBytesMax + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  if (std::ferror(file) != 0) throw std::runtime_error("cannot read " + path + ": " + std::strerror(errno));
  if (text.size() > kBytesMax) throw std::runtime_error(path + " is longer than 64 KiB");
  return text;
}

std::string read_guarded(const std::string& path, const Guard& guard) {
  constexpr const char* kSpace = " \t\r\n";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (file == nullptr) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  refuse_if_public(file.get(), path, guard);
  const std::string text = read_whole(file.get(), path);
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string::npos) throw std::runtime_error(path + " is empty");
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

std::string read_secret(const std::string& path) { return read_guarded(path, kSecret); }

std::string read_private_secret(const std::string& path) { return read_guarded(path, kPrivate); }

std::string read_trusted(const std::string& path) { return read_guarded(path, kTrusted); }

std::string read_own_secret(const std::string& path) {
  std::string secret = read_secret(path);
  if (secret.size() < kSecretBytesMin || std::set<char>(secret.begin(), secret.end()).size() < kDifferentBytesMin) {
    throw std::runtime_error("the secret in " + path +
                             " is easy to guess: use at least 16 random characters, such as those of"
                             " head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \\n'");
  }
  return secret;
}

}  // namespace tonearm::native
