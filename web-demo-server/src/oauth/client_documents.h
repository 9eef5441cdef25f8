#pragma once
// Fetches the documents of applications whose client_id is an address (OAUTH-13), from public addresses alone, and
// keeps them for some minutes. Safe for concurrent calls.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "people/oauth_store.h"
#include "public_web/web.h"
#include "rate_limits/lru_map.h"
#include "rate_limits/throttle.h"

namespace tonearm::web {

class ClientDocuments {
 public:
  using OpenWeb = std::function<std::unique_ptr<public_web::Web>()>;
  /// `open_web` is called for each fetch.
  explicit ClientDocuments(OpenWeb open_web);

  /// Returns the application, or nothing if its document cannot be fetched, is not valid, or the person has requested
  /// too many. May wait for some seconds. REQUIRES: is_document_id(client_id).
  std::optional<OauthClient> find(const std::string& client_id, const std::string& person, std::int64_t now_ms);

 private:
  struct Entry {
    std::optional<OauthClient> client;
    std::int64_t expires_ms = 0;
  };
  std::optional<OauthClient> fetch(const std::string& client_id) const;

  OpenWeb open_web_;
  Throttle throttle_;
  std::mutex mutex_;
  LruMap<Entry> entries_;
};

}  // namespace tonearm::web
