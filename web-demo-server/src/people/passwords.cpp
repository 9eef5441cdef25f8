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

std::string_view password_objection(std::string_view password, std::string_view name) {
  if (password.size() < kBytesMin) return "A password has at least 8 characters.";
  if (password.size() > kBytesMax) return "A password has at most 256 bytes.";
  if (ascii::equals_ignoring_case(password, name)) return "The password must not be the name.";
  return {};
}

class Passwords::Turn {
 public:
  explicit Turn(Passwords& of) : of_(of) {
    std::unique_lock lock(of_.mutex_);
    if (of_.waiting_ >= kWaitingMax) throw std::runtime_error("too many passwords are looked at");
    ++of_.waiting_;
    of_.free_.wait(lock, [this] { return of_.running_ < kRunningMax; });
    --of_.waiting_;
    ++of_.running_;
  }
  ~Turn() {
    {
      const std::lock_guard lock(of_.mutex_);
      --of_.running_;
    }
    of_.free_.notify_one();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Passwords& of_;
};

Passwords::Passwords(Cost cost)
    : operations_(cost == Cost::usual ? crypto_pwhash_OPSLIMIT_INTERACTIVE : crypto_pwhash_OPSLIMIT_MIN),
      memory_(cost == Cost::usual ? crypto_pwhash_MEMLIMIT_INTERACTIVE : crypto_pwhash_MEMLIMIT_MIN) {
  if (sodium_init() < 0) throw std::runtime_error("libsodium does not start");
  nobody_ = hash("nobody's password");
}

std::string Passwords::hash(std::string_view password) {
  const Turn turn(*this);
  std::array<char, crypto_pwhash_STRBYTES> out{};
  if (crypto_pwhash_str(out.data(), password.data(), password.size(), operations_, memory_) != 0) {
    throw std::runtime_error("there is no memory for the hash of a password");
  }
  return out.data();
}

bool Passwords::is_right(const std::string& kept, const std::string& password) {
  const Turn turn(*this);
  const auto& against = kept.empty() ? nobody_ : kept;
  const bool fits = crypto_pwhash_str_verify(against.c_str(), password.data(), password.size()) == 0;
  return fits && !kept.empty();
}

}  // namespace tonearm::web
