#include "people/passwords.h"

#include <sodium.h>

#include <array>
#include <stdexcept>

#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kBytesMin = 8;
constexpr std::size_t kBytesMax = 256;
constexpr int kRunningMax = 2;
constexpr int kWaitingMax = 6;

}  // namespace

std::string_view password_error(std::string_view password, std::string_view name) {
  if (password.size() < kBytesMin) return "The password must have at least 8 characters.";
  if (password.size() > kBytesMax) return "The password must have at most 256 bytes.";
  if (ascii::equals_ignoring_case(password, name)) return "The password must differ from the name.";
  return {};
}

class Passwords::Slot {
 public:
  explicit Slot(Passwords& passwords) : passwords_(passwords) {
    std::unique_lock lock(passwords_.mutex_);
    if (passwords_.waiting_ >= kWaitingMax) throw std::runtime_error("too many passwords are being checked");
    ++passwords_.waiting_;
    passwords_.free_.wait(lock, [this] { return passwords_.running_ < kRunningMax; });
    --passwords_.waiting_;
    ++passwords_.running_;
  }
  ~Slot() {
    {
      const std::lock_guard lock(passwords_.mutex_);
      --passwords_.running_;
    }
    passwords_.free_.notify_one();
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

 private:
  Passwords& passwords_;
};

Passwords::Passwords(Cost cost)
    : operations_(cost == Cost::interactive ? crypto_pwhash_OPSLIMIT_INTERACTIVE : crypto_pwhash_OPSLIMIT_MIN),
      memory_(cost == Cost::interactive ? crypto_pwhash_MEMLIMIT_INTERACTIVE : crypto_pwhash_MEMLIMIT_MIN) {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot be initialized");
  dummy_hash_ = hash("nobody's password");
}

std::string Passwords::hash(std::string_view password) {
  const Slot slot(*this);
  std::array<char, crypto_pwhash_STRBYTES> out{};
  if (crypto_pwhash_str(out.data(), password.data(), password.size(), operations_, memory_) != 0) {
    throw std::runtime_error("not enough memory to hash a password");
  }
  return out.data();
}

bool Passwords::verify(const std::string& stored_hash, const std::string& password) {
  const Slot slot(*this);
  const auto& hash = stored_hash.empty() ? dummy_hash_ : stored_hash;
  const bool matches = crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
  return matches && !stored_hash.empty();
}

}  // namespace tonearm::web
