#pragma once
// Reads ranges of one object over one connection, with timeouts, retries and checks of each response. Used by one
// thread at a time; runs on the caller's thread.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client/client_connection.h"
#include "object_store/object_address.h"
#include "object_store/s3_credentials.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"

namespace tonearm::native {

/// The store or its answer is wrong in a way that a retry does not change: 403, 404, no byte ranges.
class StoreRefusal final : public Failure {
  using Failure::Failure;
};

/// The object was replaced while it was being read.
class ObjectChanged final : public Failure {
  using Failure::Failure;
};

/// What identifies a version of an object while it is read.
struct ObjectVersion {
  std::uint64_t size = 0;
  std::string entity_tag;  // with its quotes; empty: the store sends none
};

/// The last bytes of an object.
struct ObjectEnd {
  ObjectVersion version;
  std::string bytes;
};

/// How an object is reached.
struct ObjectAccess {
  ObjectAddress address;
  std::string region;             // of S3
  CredentialsSource credentials;  // of S3; others are never signed
  std::string ca_file;            // PEM certificates; empty: the system's
  /// Whether plain http from any host is accepted, because the signature of what is read is checked (HOST-49).
  bool allows_plain_http = false;
  /// The first pause before a retry; each further one is twice as long. A pause varies by half.
  std::chrono::milliseconds pause{500};
};

class ObjectReader {
 public:
  /// `random` outlives the reader. Throws std::runtime_error if the certificates cannot be read.
  ObjectReader(ObjectAccess access, Random& random, Interrupted interrupted);
  ~ObjectReader();
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  /// Reads the last `size` bytes, or all of a shorter object; nothing if it still has the entity tag `known`. Throws
  /// StoreRefusal, or another Failure if the store does not answer in three attempts (HOST-51).
  std::optional<ObjectEnd> read_end(std::uint64_t size, const std::string& known);

  /// Passes the bytes from `offset` to `sink` in order, in pieces of any size. After a failure it retries from the
  /// first missing byte. Throws ObjectChanged if the object has another version by now, and as `read_end`; what `sink`
  /// throws reaches the caller at once. REQUIRES: the range is inside the object.
  void read(const ObjectVersion& version, std::uint64_t offset, std::uint64_t size, const BodySink& sink);

 private:
  ClientRequest request_for(const std::string& range) const;
  ClientResponse exchange(const ClientRequest& request, Reception reception);
  /// Calls `attempt` up to three times, with pauses. Throws what the last attempt threw.
  template <class Attempt>
  auto with_retries(const Attempt& attempt);
  void pause(int attempt);

  ObjectAccess access_;
  Random& random_;
  Interrupted interrupted_;
  ClientTrust trust_;
  std::unique_ptr<ClientConnection> connection_;  // null: connect with the next request
};

}  // namespace tonearm::native
