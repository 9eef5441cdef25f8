#include "client/client_connection.h"

#include <curl/curl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnectTime{30'000};
constexpr std::string_view kHashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

template <auto Function>
struct Free {
  template <class T>
  void operator()(T* pointer) const {
    Function(pointer);
  }
};
using List = std::unique_ptr<curl_slist, Free<curl_slist_free_all>>;

/// libcurl itself, from the first use to the end of the program.
class Library {
 public:
  static void use() { static const Library library; }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

 private:
  Library() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("cannot initialize libcurl");
  }
  ~Library() { curl_global_cleanup(); }
};

template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  if (curl_easy_setopt(easy, option, value) != CURLE_OK) {
    throw std::runtime_error("libcurl does not support an option of the HTTP client");
  }
}

void append(List& list, const std::string& line) {
  curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(list.release());  // it is part of the longer one
  list.reset(longer);
}

/// Returns the header fields. "Name:" suppresses a field that libcurl would add, and "Name;" sends an empty value.
List header_list(const ClientRequest& request, AfterExchange after) {
  List list;
  const auto add = [&](std::string_view name, std::string_view value) {
    append(list, value.empty() ? std::string(name) + ';' : std::string(name).append(": ").append(value));
  };
  for (const auto& [name, value] : request.headers) add(name, value);
  const auto is_given = [&](std::string_view name) { return find_header(request.headers, name) != nullptr; };
  if (!request.token.empty()) add("Authorization", "Bearer " + request.token);
  if (after == AfterExchange::close) add("Connection", "close");
  if (!request.body.empty() && !is_given("Content-Type")) add("Content-Type", "application/json");
  if (request.signing) {
    // S3 requires the hash of the body. libcurl signs all fields of this list, also those that it then suppresses.
    add("x-amz-content-sha256", kHashOfNothing);
    if (!request.signing->session_token.empty()) add("x-amz-security-token", request.signing->session_token);
    return list;
  }
  for (const std::string name : {"Accept", "Content-Type", "Expect"}) {
    if (!is_given(name) && (name != "Content-Type" || request.body.empty())) append(list, name + ':');
  }
  return list;
}

/// The state of one exchange, for libcurl's callbacks. No exception passes them: `failure` keeps it.
struct Transfer {
  Transfer(const Reception& how, CURL* handle) : reception(how), easy(handle) {}
  ~Transfer() {
    if (reception.bodies != nullptr) reception.bodies->release(reserved);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Returns whether the body may have that many more bytes.
  bool reserve(std::size_t bytes) {
    if (bytes > reception.body_bytes_max - response.body.size()) return false;
    if (reception.bodies == nullptr) return true;
    if (!reception.bodies->try_reserve(bytes)) return false;
    reserved += bytes;
    return true;
  }

  const Reception& reception;
  CURL* easy;
  ClientResponse response{};
  std::exception_ptr failure{};
  std::size_t reserved = 0;  // of the budget of bodies
  bool is_too_long = false;
  int requests = 0;
  bool has_timed_out = false;
  bool is_interrupted = false;
  bool has_head = false;
  bool is_checked = false;
  steady_clock::time_point progressed = steady_clock::now();
};

/// CURLOPT_HEADERFUNCTION
std::size_t on_header(char* bytes, std::size_t /*one*/, std::size_t size, void* context) noexcept {
  auto& transfer = *static_cast<Transfer*>(context);
  transfer.progressed = steady_clock::now();
  if (transfer.has_head) return size;  // a trailer
  std::string_view line(bytes, size);
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  try {
    const auto colon = line.find(':');
    if (line.starts_with("HTTP/")) {
      transfer.response.headers.clear();
    } else if (colon != std::string_view::npos) {
      transfer.response.headers.push_back(
          {std::string(line.substr(0, colon)), std::string(http_fields::trimmed(line.substr(colon + 1)))});
    }
  } catch (...) {
    transfer.failure = std::current_exception();
    return 0;
  }
  long status = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
  const bool is_followed = transfer.reception.redirects_max > 0 && status >= 300 && status < 400 && status != 304;
  transfer.has_head = line.empty() && status >= 200 && !is_followed;
  return size;
}

/// CURLOPT_WRITEFUNCTION
std::size_t on_body(char* bytes, std::size_t /*one*/, std::size_t size, void* context) noexcept {
  auto& transfer = *static_cast<Transfer*>(context);
  transfer.progressed = steady_clock::now();
  long status = 0;
  curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
  try {
    transfer.response.status = static_cast<int>(status);
    if (transfer.reception.check != nullptr && !std::exchange(transfer.is_checked, true)) {
      (*transfer.reception.check)(transfer.response);
    }
    if (transfer.reception.sink != nullptr && (status == 200 || status == 206)) {
      (*transfer.reception.sink)({bytes, size});
      transfer.progressed = steady_clock::now();
      return size;
    }
    transfer.is_too_long = !transfer.reserve(size);
    if (transfer.is_too_long) return CURL_WRITEFUNC_ERROR;
    transfer.response.body.append(bytes, size);
    return size;
  } catch (...) {
    transfer.failure = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
}

/// CURLOPT_XFERINFOFUNCTION: libcurl calls it at least once a second.
int on_progress(void* context, curl_off_t /*total*/, curl_off_t /*now*/, curl_off_t /*to_send*/, curl_off_t /*sent*/) {
  auto& transfer = *static_cast<Transfer*>(context);
  const auto limit = transfer.has_head ? transfer.reception.between_pieces : transfer.reception.until_head;
  transfer.has_timed_out = steady_clock::now() - transfer.progressed > limit;
  transfer.is_interrupted = transfer.reception.interrupted && transfer.reception.interrupted();
  return transfer.has_timed_out || transfer.is_interrupted ? 1 : 0;
}

std::string url_part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) throw std::runtime_error("a redirect is no URL");
  const std::unique_ptr<char, Free<curl_free>> owned(text);
  return text;
}

/// Returns the server of the request that libcurl is about to send.
ServerUrl current_server(CURL* easy) {
  char* text = nullptr;
  curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &text);
  const std::unique_ptr<CURLU, Free<curl_url_cleanup>> url(curl_url());
  if (url == nullptr) throw std::bad_alloc();
  if (curl_url_set(url.get(), CURLUPART_URL, text, 0) != CURLUE_OK) throw std::runtime_error("a redirect is no URL");
  return {url_part(url.get(), CURLUPART_SCHEME) == "https",
          url_part(url.get(), CURLUPART_HOST),
          url_part(url.get(), CURLUPART_PORT),
          {}};
}

/// CURLOPT_PREREQFUNCTION: prevents that libcurl sends a request again after a reused connection broke, and checks
/// redirects.
int on_request(void* context, char* /*address*/, char* /*local*/, int /*port*/, int /*local_port*/) noexcept {
  auto& transfer = *static_cast<Transfer*>(context);
  const int number = transfer.requests++;
  if (number > transfer.reception.redirects_max) return CURL_PREREQFUNC_ABORT;
  if (number == 0 || transfer.reception.redirect_check == nullptr) return CURL_PREREQFUNC_OK;
  try {
    (*transfer.reception.redirect_check)(current_server(transfer.easy));
    return CURL_PREREQFUNC_OK;
  } catch (...) {
    transfer.failure = std::current_exception();
    return CURL_PREREQFUNC_ABORT;
  }
}

std::string lower_first(std::string text) {
  if (!text.empty()) text.front() = ascii::to_lower(text.front());
  return text;
}

}  // namespace

struct ClientTrust::Store {
  std::unique_ptr<X509_STORE, Free<X509_STORE_free>> certificates{X509_STORE_new()};
};

ClientTrust::ClientTrust(const std::string& ca_file) : store_(std::make_unique<Store>()) {
  Library::use();
  auto* const certificates = store_->certificates.get();
  if (certificates == nullptr) throw std::bad_alloc();
  ERR_clear_error();
  const bool is_read = ca_file.empty() ? X509_STORE_set_default_paths(certificates) == 1
                                       : X509_STORE_load_file(certificates, ca_file.c_str()) == 1;
  if (is_read) return;
  const auto error = ERR_peek_error();
  const char* const reason =
      ERR_SYSTEM_ERROR(error) ? std::strerror(ERR_GET_REASON(error)) : ERR_reason_error_string(error);
  throw std::runtime_error("cannot read the certificates of " + ca_file + ": " +
                           (reason == nullptr ? "unknown error" : reason));
}

ClientTrust::~ClientTrust() = default;

struct ClientConnection::Handle {
  std::unique_ptr<CURL, Free<curl_easy_cleanup>> easy{curl_easy_init()};
  std::array<char, CURL_ERROR_SIZE> details{};
};

namespace {

/// CURLOPT_SSL_CTX_FUNCTION
CURLcode use_trust(CURL* /*easy*/, void* context, void* trust) {
  auto* const certificates = static_cast<const ClientTrust*>(trust)->store().certificates.get();
  auto* const tls = static_cast<SSL_CTX*>(context);
  SSL_CTX_set1_cert_store(tls, certificates);
  SSL_CTX_set_keylog_callback(tls, nullptr);  // libcurl would log secrets to the file that SSLKEYLOGFILE names
  return CURLE_OK;
}

/// The server of a failed exchange, and why it failed.
std::string message_of(const std::string& server, CURLcode code, CURL* easy, const char* details,
                       const Transfer& transfer) {
  const auto no_response = [&](const std::string& why) { return "no answer from " + server + ": " + why; };
  if (code == CURLE_COULDNT_CONNECT) {
    long error = 0;
    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
    const std::string why = error != 0 ? std::strerror(static_cast<int>(error)) : curl_easy_strerror(code);
    return "cannot connect to " + server + ": " + lower_first(why);
  }
  if (code == CURLE_COULDNT_RESOLVE_HOST) return "cannot connect to " + server + ": host not found";
  if (code == CURLE_OPERATION_TIMEDOUT && transfer.reception.total) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*transfer.reception.total).count();
    return "no answer from " + server + " within " + std::to_string(seconds) + " seconds";
  }
  if (transfer.is_interrupted) return no_response("the program is stopping");
  if (transfer.has_timed_out) return no_response("the operation timed out");
  if (transfer.is_too_long) return no_response("the body is too large");
  if (code == CURLE_ABORTED_BY_CALLBACK) return no_response("the connection was closed");
  if (code == CURLE_PEER_FAILED_VERIFICATION) return no_response(std::string("certificate verify failed: ") + details);
  return no_response(*details != '\0' ? details : curl_easy_strerror(code));
}

}  // namespace

ClientConnection::ClientConnection(ServerUrl server, const ClientTrust& trust)
    : server_(std::move(server)), trust_(trust), handle_(std::make_unique<Handle>()) {
  if (!handle_->easy) throw std::bad_alloc();
}

ClientConnection::~ClientConnection() = default;

ClientResponse ClientConnection::exchange(const ClientRequest& request, const Reception& reception,
                                          AfterExchange after) {
  CURL* const easy = handle_->easy.get();
  curl_easy_reset(easy);  // keeps the connection
  const auto place = server_.host + ':' + server_.port;
  const std::string url = (server_.tls ? "https://" : "http://") + place + server_.path + request.target;
  const auto headers = header_list(request, after);
  Transfer transfer(reception, easy);
  handle_->details.front() = '\0';
  set(easy, CURLOPT_URL, url.c_str());
  set(easy, CURLOPT_PATH_AS_IS, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(easy, CURLOPT_FOLLOWLOCATION, reception.redirects_max > 0 ? 1L : 0L);
  set(easy, CURLOPT_MAXREDIRS, static_cast<long>(reception.redirects_max));
  set(easy, CURLOPT_REDIR_PROTOCOLS_STR, server_.tls ? "https" : "http,https");
  set(easy, CURLOPT_PROXY, "");  // also ignores the environment
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_FORBID_REUSE, after == AfterExchange::close ? 1L : 0L);
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min(kConnectTime, reception.until_head).count()));
  set(easy, CURLOPT_TIMEOUT_MS, reception.total ? static_cast<long>(reception.total->count()) : 0L);
  set(easy, CURLOPT_HTTPHEADER, headers.get());
  set(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (request.signing) {
    set(easy, CURLOPT_AWS_SIGV4, ("aws:amz:" + request.signing->region + ":s3").c_str());
    set(easy, CURLOPT_USERNAME, request.signing->access_key.c_str());
    set(easy, CURLOPT_PASSWORD, request.signing->secret_key.c_str());
  }
  if (request.method == "HEAD") set(easy, CURLOPT_NOBODY, 1L);
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(easy, CURLOPT_POSTFIELDS, request.body.data());
  }
  set(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  set(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  if (server_.tls) {
    set(easy, CURLOPT_CAINFO, static_cast<const char*>(nullptr));
    set(easy, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    set(easy, CURLOPT_SSL_OPTIONS, static_cast<long>(CURLSSLOPT_NO_PARTIALCHAIN));
    set(easy, CURLOPT_SSL_CTX_FUNCTION, &use_trust);
    set(easy, CURLOPT_SSL_CTX_DATA, &trust_);
  }
  set(easy, CURLOPT_HEADERFUNCTION, &on_header);
  set(easy, CURLOPT_HEADERDATA, &transfer);
  set(easy, CURLOPT_WRITEFUNCTION, &on_body);
  set(easy, CURLOPT_WRITEDATA, &transfer);
  set(easy, CURLOPT_NOPROGRESS, 0L);
  set(easy, CURLOPT_XFERINFOFUNCTION, &on_progress);
  set(easy, CURLOPT_XFERINFODATA, &transfer);
  set(easy, CURLOPT_PREREQFUNCTION, &on_request);
  set(easy, CURLOPT_PREREQDATA, &transfer);
  set(easy, CURLOPT_ERRORBUFFER, handle_->details.data());
  const CURLcode code = curl_easy_perform(easy);
  is_kept_ = code == CURLE_OK && after == AfterExchange::keep;
  if (transfer.failure) std::rethrow_exception(transfer.failure);
  if (code != CURLE_OK) {
    const auto message = message_of(place, code, easy, handle_->details.data(), transfer);
    if (code == CURLE_OPERATION_TIMEDOUT || transfer.has_timed_out) throw ClientTimeout(message);
    throw std::runtime_error(message);
  }
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  transfer.response.status = static_cast<int>(status);
  return std::move(transfer.response);
}

bool ClientConnection::is_reusable() const {
  curl_socket_t socket = CURL_SOCKET_BAD;
  if (!is_kept_ || curl_easy_getinfo(handle_->easy.get(), CURLINFO_ACTIVESOCKET, &socket) != CURLE_OK) return false;
  if (socket == CURL_SOCKET_BAD) return false;
  char byte = 0;
  const auto peeked = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return peeked < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace tonearm::native
