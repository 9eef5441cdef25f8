#pragma once
// Hashes passwords with Argon2id (libsodium). A hash string contains its salt and cost. Safe for concurrent calls.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tonearm::web {

/// Returns what is wrong with a new password, or an empty string if it is acceptable (WEB-7).
std::string_view password_error(std::string_view password, std::string_view name);

class Passwords {
 public:
  /// The cost of a hash. Tests use the minimum.
  enum class Cost : std::uint8_t { interactive, minimal };

  /// A slot to compute hashes. Each hash uses 64 MiB, so only a few slots exist, and a client has at most one of them.
  /// A few more clients may wait, in the order of their arrival; the rest are rejected, so that passwords cannot occupy
  /// all threads.
  class Slot {
   public:
    Slot(Passwords& passwords, std::string client) : passwords_(&passwords), client_(std::move(client)) {}
    ~Slot();
    Slot(Slot&& other) noexcept
        : passwords_(std::exchange(other.passwords_, nullptr)), client_(std::move(other.client_)) {}
    Slot& operator=(Slot&&) = delete;

    /// Throws std::runtime_error if there is not enough memory.
    std::string hash(std::string_view password) const;
    /// Checks a password against a hash. An empty hash means that the person does not exist: the result is false after
    /// the same time, so that timing does not reveal names. Throws like `hash`.
    bool verify(const std::string& stored_hash, const std::string& password) const;

   private:
    Passwords* passwords_;  // null: moved from
    std::string client_;
  };

  /// `waiting_max`: how many clients may wait. Throws std::runtime_error if libsodium cannot be initialized.
  explicit Passwords(std::size_t waiting_max, Cost cost = Cost::interactive);

  /// Waits for a slot. Returns nothing at once if the client already waits for one (WEB-26). Throws std::runtime_error
  /// if too many clients wait.
  std::optional<Slot> wait_for_slot(const std::string& client);

 private:
  bool is_next(const std::string& client) const;

  std::size_t waiting_max_;
  unsigned long long operations_;
  std::size_t memory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> running_;  // the clients that have a slot
  std::vector<std::string> queue_;    // the clients that wait
  std::string dummy_hash_;
};

}  // namespace tonearm::web
