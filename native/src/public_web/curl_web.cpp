#include "public_web/curl_web.h"

#include <curl/curl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>

#include "tonearm/result.h"

namespace tonearm::public_web {
namespace {

struct MultiEnd {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct EasyEnd {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Multi = std::unique_ptr<CURLM, MultiEnd>;
struct ListEnd {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyEnd>;
using List = std::unique_ptr<curl_slist, ListEnd>;

/// Initializes libcurl, and cleans up after it.
struct Library {
  Library() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw Failure("libcurl cannot be initialized");
  }
  ~Library() { curl_global_cleanup(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

template <class... Values>
void set(CURL* easy, CURLoption option, Values... values) {
  if (curl_easy_setopt(easy, option, values...) != CURLE_OK)
    throw Failure("libcurl does not support a required option");
}

struct Exchange {
  List fields;  // outlives `easy`
  Easy easy;
  WebRequest request;
  std::string body;
  const std::vector<AddressBlock>* allowed = nullptr;
  bool is_not_public = false;  // a socket was rejected
  bool is_cut = false;         // the rest of the response was not requested
};

/// CURLOPT_OPENSOCKETFUNCTION: opens sockets only for public addresses.
curl_socket_t open_socket(void* exchange, curlsocktype purpose, curl_sockaddr* address) {
  auto& self = *static_cast<Exchange*>(exchange);
  if (purpose != CURLSOCKTYPE_IPCXN || !is_public(address->addr, *self.allowed)) {
    self.is_not_public = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// CURLOPT_WRITEFUNCTION: stores up to `bytes_max` bytes, then ends the exchange.
std::size_t append_body(char* bytes, std::size_t one, std::size_t count, void* exchange) {
  auto& self = *static_cast<Exchange*>(exchange);
  const std::size_t size = one * count;
  const std::size_t space_left = self.request.bytes_max - self.body.size();
  self.body.append(bytes, std::min(size, space_left));
  self.is_cut = size > space_left;
  return self.is_cut ? CURL_WRITEFUNC_ERROR : size;
}

/// CURLOPT_HEADERFUNCTION of a POST: ends the exchange after the fields of the final response, because the body is of
/// no use and may never come.
std::size_t end_after_fields(char* line, std::size_t one, std::size_t count, void* exchange) {
  auto& self = *static_cast<Exchange*>(exchange);
  constexpr long kFinalStatusMin = 200;
  long status = 0;
  curl_easy_getinfo(self.easy.get(), CURLINFO_RESPONSE_CODE, &status);
  self.is_cut = status >= kFinalStatusMin && (*line == '\r' || *line == '\n');
  return self.is_cut ? CURL_WRITEFUNC_ERROR : one * count;
}

std::string error_text(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "its name is not found";
    case CURLE_COULDNT_CONNECT:
      return "no connection";
    case CURLE_OPERATION_TIMEDOUT:
      return "no answer in time";
    case CURLE_PEER_FAILED_VERIFICATION:
      return "its certificate is not valid";
    default:
      return curl_easy_strerror(code);
  }
}

class CurlWeb final : public Web {
 public:
  explicit CurlWeb(CurlWebOptions options) : options_(std::move(options)), multi_(curl_multi_init()) {
    if (multi_ == nullptr) throw Failure("libcurl cannot be initialized");
  }
  ~CurlWeb() override {
    for (const auto& [easy, exchange] : exchanges_) curl_multi_remove_handle(multi_.get(), easy);
  }
  CurlWeb(const CurlWeb&) = delete;
  CurlWeb& operator=(const CurlWeb&) = delete;

  void start(const WebRequest& request) override {
    auto exchange = std::make_unique<Exchange>();
    exchange->easy.reset(curl_easy_init());
    exchange->request = request;
    exchange->allowed = &options_.allowed;
    CURL* const easy = exchange->easy.get();
    if (easy == nullptr) throw Failure("libcurl cannot be initialized");
    prepare(*exchange);
    exchanges_.emplace(easy, std::move(exchange));
    if (curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) throw Failure("libcurl cannot start a request");
  }

  std::optional<WebResponse> next(std::int64_t wait_ms) override {
    const std::int64_t until = now_ms() + wait_ms;
    while (true) {
      int running = 0;
      curl_multi_perform(multi_.get(), &running);
      int waiting = 0;
      while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &waiting)) {
        if (message->msg == CURLMSG_DONE) return response_of(message->easy_handle, message->data.result);
      }
      const std::int64_t left_ms = until - now_ms();
      if (left_ms <= 0) return std::nullopt;
      curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(left_ms), nullptr);
    }
  }

  std::int64_t now_ms() override {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
  }

 private:
  static void add_fields(Exchange& exchange) {
    for (const std::string& field : exchange.request.fields) {
      curl_slist* const longer = curl_slist_append(exchange.fields.get(), field.c_str());
      if (longer == nullptr) throw Failure("libcurl has no memory");
      (void)exchange.fields.release();  // part of the longer list
      exchange.fields.reset(longer);
    }
    if (exchange.fields) set(exchange.easy.get(), CURLOPT_HTTPHEADER, exchange.fields.get());
  }

  void prepare(Exchange& exchange) const {
    CURL* const easy = exchange.easy.get();
    const WebRequest& request = exchange.request;
    add_fields(exchange);
    set(easy, CURLOPT_URL, request.url.c_str());
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set(easy, CURLOPT_PROXY, "");  // a proxy could reach private addresses
    set(easy, CURLOPT_NOSIGNAL, 1L);
    set(easy, CURLOPT_DNS_CACHE_TIMEOUT, static_cast<long>(options_.address_s));
    set(easy, CURLOPT_QUICK_EXIT, 1L);  // waits for no name server after the timeout
    set(easy, CURLOPT_FORBID_REUSE, 1L);
    set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.timeout_ms / 2));
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout_ms));
    set(easy, CURLOPT_USERAGENT, options_.user_agent.c_str());
    set(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(easy, CURLOPT_OPENSOCKETDATA, static_cast<void*>(&exchange));
    set(easy, CURLOPT_WRITEFUNCTION, append_body);
    set(easy, CURLOPT_WRITEDATA, static_cast<void*>(&exchange));
    if (request.kind == WebRequest::Kind::head) set(easy, CURLOPT_NOBODY, 1L);
    if (request.kind == WebRequest::Kind::post) {
      set(easy, CURLOPT_HEADERFUNCTION, end_after_fields);
      set(easy, CURLOPT_HEADERDATA, static_cast<void*>(&exchange));
      set(easy, CURLOPT_POSTFIELDS, request.body.data());
      set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
    if (request.kind == WebRequest::Kind::start) {
      set(easy, CURLOPT_RANGE, ("0-" + std::to_string(request.bytes_max - 1)).c_str());
    }
  }

  WebResponse response_of(CURL* easy, CURLcode code) {
    const auto finished = exchanges_.extract(easy);
    Exchange& exchange = *finished.mapped();
    WebResponse response;
    response.ticket = exchange.request.ticket;
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    const bool has_response = code == CURLE_OK || (code == CURLE_WRITE_ERROR && exchange.is_cut);
    if (has_response) {
      response.status = static_cast<int>(status);
      read_fields(easy, response);
      response.body = std::move(exchange.body);
    } else {
      response.is_not_public = exchange.is_not_public;
      response.error = exchange.is_not_public ? "its address is not public" : error_text(code);
    }
    curl_multi_remove_handle(multi_.get(), easy);
    return response;
  }

  static void read_fields(CURL* easy, WebResponse& response) {
    const char* text = nullptr;
    if (curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &text) == CURLE_OK && text != nullptr) {
      response.content_type = text;
    }
    text = nullptr;
    if (curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &text) == CURLE_OK && text != nullptr) response.location = text;
    curl_off_t seconds = 0;
    if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0) {
      constexpr curl_off_t kDay = 86'400;
      response.retry_after_s = static_cast<std::uint32_t>(std::min(seconds, kDay));
    }
  }

  Library library_;
  CurlWebOptions options_;
  std::map<CURL*, std::unique_ptr<Exchange>> exchanges_;
  Multi multi_;
};

}  // namespace

std::unique_ptr<Web> make_curl_web(CurlWebOptions options) { return std::make_unique<CurlWeb>(std::move(options)); }

}  // namespace tonearm::public_web
