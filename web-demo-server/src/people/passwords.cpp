#include "people/passwords.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kBytesMin = 8;
constexpr std::size_t kBytesMax = 256;
constexpr std::size_t kSlots = 2;

bool contains(const std::vector<std::string>& clients, const std::string& client) {
  return std::find(clients.begin(), clients.end(), client) != clients.end();
}

}  // namespace

std::string_view password_error(std::string_view password, std::string_view name) {
  if (password.size() < kBytesMin) return "The password must have at least 8 characters.";
  if (password.size() > kBytesMax) return "The password must have at most 256 bytes.";
  if (ascii::equals_ignoring_case(password, name)) return "The password must differ from the name.";
  return {};
}

Passwords::Slot::~Slot() {
  if (passwords_ == nullptr) return;
  {
    const std::lock_guard lock(passwords_->mutex_);
    auto& running = passwords_->running_;
    running.erase(std::find(running.begin(), running.end(), client_));
  }
  passwords_->changed_.notify_all();
}

std::string Passwords::Slot::hash(std::string_view password) const {
  std::array<char, crypto_pwhash_STRBYTES> out{};
  if (crypto_pwhash_str(out.data(), password.data(), password.size(), passwords_->operations_, passwords_->memory_) !=
      0) {
    throw std::runtime_error("not enough memory to hash a password");
  }
  return out.data();
}

bool Passwords::Slot::verify(const std::string& stored_hash, const std::string& password) const {
  const auto& hash = stored_hash.empty() ? passwords_->dummy_hash_ : stored_hash;
  const bool matches = crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
  return matches && !stored_hash.empty();
}

Passwords::Passwords(std::size_t waiting_max, Cost cost)
    : waiting_max_(waiting_max),
      operations_(cost == Cost::interactive ? crypto_pwhash_OPSLIMIT_INTERACTIVE : crypto_pwhash_OPSLIMIT_MIN),
      memory_(cost == Cost::interactive ? crypto_pwhash_MEMLIMIT_INTERACTIVE : crypto_pwhash_MEMLIMIT_MIN) {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot be initialized");
  dummy_hash_ = wait_for_slot("")->hash("nobody's password");
}

std::optional<Passwords::Slot> Passwords::wait_for_slot(const std::string& client) {
  std::unique_lock lock(mutex_);
  if (contains(queue_, client)) return std::nullopt;
  queue_.push_back(client);
  if (!is_next(client) && queue_.size() > waiting_max_) {
    queue_.pop_back();
    throw std::runtime_error("too many passwords are being checked");
  }
  changed_.wait(lock, [&] { return is_next(client); });
  queue_.erase(std::find(queue_.begin(), queue_.end(), client));
  running_.push_back(client);
  changed_.notify_all();  // another slot may be free
  return Slot(*this, client);
}

/// Returns whether a slot is free, and no other client that may use it has waited longer.
bool Passwords::is_next(const std::string& client) const {
  if (running_.size() >= kSlots) return false;
  const auto next = std::find_if(queue_.begin(), queue_.end(),
                                 [this](const std::string& waiting) { return !contains(running_, waiting); });
  return next != queue_.end() && *next == client;
}

}  // namespace tonearm::web
