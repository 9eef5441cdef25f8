#pragma once
// `/mcp` as a protected resource of OAuth (MCP-20): its metadata (RFC 9728), and the field of its answer 401 that names
// them. Pure, thread-safe.

#include <optional>
#include <utility>

#include "tonearm/calls.h"
#include "tonearm/http.h"

namespace tonearm::api {

class ProtectedResource {
 public:
  explicit ProtectedResource(OauthAddresses addresses) : addresses_(std::move(addresses)) {}

  /// Returns the answer to a request for the metadata, which needs no key; nothing for any other path, and for every
  /// path if there is no authorization server.
  std::optional<Response> answer(const RequestHead& head) const;
  /// Names the metadata in the WWW-Authenticate field of an answer 401 of `/mcp`.
  void add_challenge(const RequestHead& head, Response& response) const;

 private:
  OauthAddresses addresses_;
};

}  // namespace tonearm::api
