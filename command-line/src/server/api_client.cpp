#include "server/api_client.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <array>
#include <boost/json.hpp>
#include <cstdlib>
#include <utility>

#include "server/ca_file.h"

namespace tonearm::cli {
namespace {

constexpr long kConnectMs = 15'000;
constexpr long kRequestMs = 120'000;
constexpr std::size_t kBodyBytesMax = 64 * 1024 * 1024;

struct UrlDeleter {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Url = std::unique_ptr<CURLU, UrlDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

/// Initializes libcurl.
struct Library {
  Library() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl cannot be initialized");
  }
  ~Library() { curl_global_cleanup(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owner(text, curl_free);
  return text;
}

/// Returns whether the host is a loopback address or `localhost`, which libcurl resolves itself.
bool is_local_host(const std::string& host) {
  constexpr std::uint8_t kLoopback = 127;
  std::array<std::uint8_t, 4> address{};
  const bool is_loopback = ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 && address.front() == kLoopback;
  return is_loopback || host == "localhost" || host == "[::1]";
}

template <class... Values>
void set(CURL* easy, CURLoption option, Values... values) {
  if (curl_easy_setopt(easy, option, values...) != CURLE_OK) {
    throw std::runtime_error("libcurl lacks a required option");
  }
}

void append(List& list, const std::string& line) {
  curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(list.release());  // the longer list owns it
  list.reset(longer);
}

/// Trusts the certificates of the file, or those of the system if it is empty, and no others: libcurl's folder of
/// certificates is not used. A proxy is verified with those of the system.
void trust(CURL* easy, const std::string& ca_file, bool is_https) {
  const std::string system = system_ca_file();
  set<char*>(easy, CURLOPT_CAPATH, nullptr);
  set<char*>(easy, CURLOPT_PROXY_CAPATH, nullptr);
  if (!system.empty()) set(easy, CURLOPT_PROXY_CAINFO, system.c_str());
  if (!is_https) return;
  const std::string& trusted = ca_file.empty() ? system : ca_file;
  if (trusted.empty()) {
    throw ServerError(
        "this system has no file of trusted certificates: install ca-certificates, or name a PEM file with --ca-file "
        "or "
        "SSL_CERT_FILE");
  }
  set(easy, CURLOPT_CAINFO, trusted.c_str());
}

/// CURLOPT_WRITEFUNCTION
std::size_t append_body(char* bytes, std::size_t one, std::size_t count, void* body) {
  auto& text = *static_cast<std::string*>(body);
  const std::size_t size = one * count;
  if (size > kBodyBytesMax - text.size()) return CURL_WRITEFUNC_ERROR;
  text.append(bytes, size);
  return size;
}

std::string reason_of(CURLcode code, const char* details) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "its host name cannot be resolved";
    case CURLE_COULDNT_CONNECT:
      return "connection refused or blocked";
    case CURLE_OPERATION_TIMEDOUT:
      return "no answer in time";
    case CURLE_PEER_FAILED_VERIFICATION:
      return std::string("its certificate is not trusted: ") + details;
    case CURLE_SSL_CACERT_BADFILE:
      return std::string("the file of trusted certificates is not usable: ") + details;
    case CURLE_WRITE_ERROR:
      return "its answer is larger than 64 MiB";
    default:
      return *details == '\0' ? curl_easy_strerror(code) : details;
  }
}

}  // namespace

ApiAddress read_api_address(const std::string& text) {
  const Url url(curl_url());
  const bool is_read = url && curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  const auto part = [&](CURLUPart name) { return part_of(url.get(), name); };
  const std::string scheme = is_read ? part(CURLUPART_SCHEME) : "";
  const bool is_plain = is_read && part(CURLUPART_USER).empty() && part(CURLUPART_PASSWORD).empty() &&
                        part(CURLUPART_QUERY).empty() && part(CURLUPART_FRAGMENT).empty();
  if (!is_plain || (scheme != "http" && scheme != "https")) {
    throw std::invalid_argument(
        "an http or https address without user, query and fragment, such as https://tonearm.example");
  }
  std::string address = part(CURLUPART_URL);
  while (address.ends_with('/')) address.pop_back();
  const bool is_local = is_local_host(part(CURLUPART_HOST));
  return {std::move(address), scheme == "http" && !is_local, is_local};
}

struct ApiClient::Connection {
  Library library;
  std::unique_ptr<CURL, EasyDeleter> easy{curl_easy_init()};
  std::string details = std::string(CURL_ERROR_SIZE, '\0');
};

ApiClient::ApiClient(ApiAccess access) : access_(std::move(access)), connection_(std::make_unique<Connection>()) {
  if (!connection_->easy) throw std::runtime_error("libcurl cannot be initialized");
}

ApiClient::~ApiClient() = default;

ApiAnswer ApiClient::send(const ApiRequest& request) {
  constexpr int kUnauthorized = 401;
  auto answer = send_once(request);
  if (answer.status != kUnauthorized || !access_.renew_key) return answer;
  access_.key = access_.renew_key(access_.key);
  return send_once(request);
}

ApiAnswer ApiClient::send_once(const ApiRequest& request) {
  CURL* const easy = connection_->easy.get();
  curl_easy_reset(easy);  // keeps the connection
  ApiAnswer answer;
  const std::string url = access_.url + request.target;
  const std::string method(request.method);
  List head;
  if (!access_.key.empty()) append(head, "Authorization: Bearer " + access_.key);
  append(head, "Accept: */*");
  if (!request.body.empty()) append(head, "Content-Type: " + std::string(request.body_type));
  append(head, "Expect:");  // sends bodies without waiting for 100 Continue
  connection_->details.front() = '\0';
  set(easy, CURLOPT_URL, url.c_str());
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_PATH_AS_IS, 1L);  // `..` may be a track's id
  set(easy, CURLOPT_CUSTOMREQUEST, method.c_str());
  set(easy, CURLOPT_HTTPHEADER, head.get());
  set(easy, CURLOPT_USERAGENT, "tonearm/" TONEARM_VERSION);
  set(easy, CURLOPT_ACCEPT_ENCODING, "");
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
  set(easy, CURLOPT_TIMEOUT_MS, kRequestMs);
  set(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  set(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  if (access_.is_local) set(easy, CURLOPT_NOPROXY, "*");
  trust(easy, access_.ca_file, url.starts_with("https:"));
  if (!request.body.empty()) {
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(easy, CURLOPT_POSTFIELDS, request.body.data());
  }
  set(easy, CURLOPT_WRITEFUNCTION, append_body);
  set(easy, CURLOPT_WRITEDATA, static_cast<void*>(&answer.body));
  set(easy, CURLOPT_ERRORBUFFER, connection_->details.data());
  const CURLcode code = curl_easy_perform(easy);
  if (code != CURLE_OK) {
    throw ServerError("no answer from " + access_.url + ": " + reason_of(code, connection_->details.c_str()));
  }
  long status = 0;
  curl_off_t seconds = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds);
  answer.status = static_cast<int>(status);
  answer.retry_after_s = seconds;
  return answer;
}

ApiAnswer ApiClient::send_or_throw(const ApiRequest& request) {
  auto answer = send(request);
  if (!answer.is_success()) throw ServerError(error_message(answer));
  return answer;
}

std::string error_message(const ApiAnswer& answer) {
  boost::json::error_code error;
  const auto parsed = boost::json::parse(answer.body, error);
  const auto* const object = error ? nullptr : parsed.if_object();
  const auto* const message = object == nullptr ? nullptr : object->if_contains("message");
  if (message == nullptr || !message->is_string()) {
    return "the server answered with status " + std::to_string(answer.status) + ": is this the address of the API?";
  }
  return std::string(message->get_string()) + " (" + std::to_string(answer.status) + ")";
}

}  // namespace tonearm::cli
