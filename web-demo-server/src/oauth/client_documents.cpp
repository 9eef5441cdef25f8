#include "oauth/client_documents.h"

#include <utility>
#include <variant>

#include "oauth/registration.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kDocumentBytesMax = 10'240;
constexpr std::size_t kEntriesMax = 1'000;
constexpr std::int64_t kFoundMs = 600'000;
constexpr std::int64_t kFailedMs = 30'000;
constexpr std::int64_t kWaitMs = 6'000;  // a little longer than the timeout of the exchange
constexpr Throttle::Rate kFetches{20, 60'000};

bool is_json(std::string_view content_type) {
  const auto media_type = http_fields::trimmed(content_type.substr(0, content_type.find(';')));
  return ascii::equals_ignoring_case(media_type, "application/json");
}

}  // namespace

ClientDocuments::ClientDocuments(OpenWeb open_web)
    : open_web_(std::move(open_web)), throttle_(kFetches), entries_(kEntriesMax) {}

std::optional<OauthClient> ClientDocuments::find(const std::string& client_id, const std::string& person,
                                                 std::int64_t now_ms) {
  {
    const std::lock_guard lock(mutex_);
    const auto* const known = entries_.find(client_id);
    if (known != nullptr && known->expires_ms > now_ms) return known->client;
  }
  if (throttle_.acquire(person, now_ms) > 0) return std::nullopt;
  auto client = fetch(client_id);
  const std::lock_guard lock(mutex_);
  entries_.at(client_id) = {client, now_ms + (client ? kFoundMs : kFailedMs)};
  return client;
}

std::optional<OauthClient> ClientDocuments::fetch(const std::string& client_id) const {
  const auto web = open_web_();
  web->start({.url = client_id, .kind = public_web::WebRequest::Kind::page, .bytes_max = kDocumentBytesMax + 1});
  const auto response = web->next(kWaitMs);
  if (!response || response->status != 200 || !is_json(response->content_type)) return std::nullopt;
  if (response->body.size() > kDocumentBytesMax) return std::nullopt;
  auto read = read_document(client_id, response->body);
  auto* const metadata = std::get_if<ClientMetadata>(&read);
  if (metadata == nullptr) return std::nullopt;
  return OauthClient{client_id, std::move(metadata->name), std::move(metadata->redirects)};
}

}  // namespace tonearm::web
