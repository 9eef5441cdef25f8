#pragma once
// Hashes passwords with Argon2id (libsodium). A hash string contains its salt and cost. Safe for concurrent calls.

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

namespace tonearm::web {

/// Returns what is wrong with a new password, or an empty string if it is acceptable (WEB-7).
std::string_view password_error(std::string_view password, std::string_view name);

class Passwords {
 public:
  /// The cost of a hash. Tests use the minimum.
  enum class Cost : std::uint8_t { interactive, minimal };

  /// Throws std::runtime_error if libsodium cannot be initialized.
  explicit Passwords(Cost cost = Cost::interactive);

  /// Throws std::runtime_error if there is not enough memory, or if too many hashes are waiting.
  std::string hash(std::string_view password);
  /// Checks a password against a hash. An empty hash means that the person does not exist: the result is false after
  /// the same time, so that timing does not reveal names. Throws like `hash`.
  bool verify(const std::string& stored_hash, const std::string& password);

 private:
  /// A slot to compute a hash. Each hash uses 64 MiB, so only a few run at once. A few more may wait; the rest are
  /// rejected, so that passwords cannot occupy all threads.
  class Slot;

  unsigned long long operations_;
  std::size_t memory_;
  std::mutex mutex_;
  std::condition_variable free_;
  int running_ = 0;
  int waiting_ = 0;
  std::string dummy_hash_;
};

}  // namespace tonearm::web
