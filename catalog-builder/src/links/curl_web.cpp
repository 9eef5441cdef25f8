#include "links/curl_web.h"

#include <curl/curl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

struct MultiEnd {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct EasyEnd {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Multi = std::unique_ptr<CURLM, MultiEnd>;
using Easy = std::unique_ptr<CURL, EasyEnd>;

/// libcurl itself, from the first use to the end of the program.
struct Library {
  Library() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw Failure("libcurl cannot be used");
  }
  ~Library() { curl_global_cleanup(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

template <class... Values>
void set(CURL* easy, CURLoption option, Values... values) {
  if (curl_easy_setopt(easy, option, values...) != CURLE_OK) throw Failure("libcurl lacks an option that is needed");
}

struct Exchange {
  Easy easy;
  WebRequest request;
  std::string body;
  const std::vector<AddressBlock>* allowed = nullptr;
  bool is_not_public = false;  // a socket was refused
  bool is_cut = false;         // the body was longer than was asked for
};

/// CURLOPT_OPENSOCKETFUNCTION: makes a socket for public addresses alone.
curl_socket_t open_socket(void* exchange, curlsocktype purpose, curl_sockaddr* address) {
  auto& self = *static_cast<Exchange*>(exchange);
  if (purpose != CURLSOCKTYPE_IPCXN || !is_public(address->addr, *self.allowed)) {
    self.is_not_public = true;
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// CURLOPT_WRITEFUNCTION: keeps what was asked for, and ends the exchange behind it.
std::size_t take_body(char* bytes, std::size_t one, std::size_t count, void* exchange) {
  auto& self = *static_cast<Exchange*>(exchange);
  const std::size_t size = one * count;
  const std::size_t room = self.request.bytes_max - self.body.size();
  self.body.append(bytes, std::min(size, room));
  self.is_cut = size > room;
  return self.is_cut ? CURL_WRITEFUNC_ERROR : size;
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
    if (multi_ == nullptr) throw Failure("libcurl cannot be used");
  }
  ~CurlWeb() override {
    for (const auto& [easy, exchange] : exchanges_) curl_multi_remove_handle(multi_.get(), easy);
  }
  CurlWeb(const CurlWeb&) = delete;
  CurlWeb& operator=(const CurlWeb&) = delete;

  void ask(const WebRequest& request) override {
    auto exchange = std::make_unique<Exchange>();
    exchange->easy.reset(curl_easy_init());
    exchange->request = request;
    exchange->allowed = &options_.allowed;
    CURL* const easy = exchange->easy.get();
    if (easy == nullptr) throw Failure("libcurl cannot be used");
    prepare(*exchange);
    exchanges_.emplace(easy, std::move(exchange));
    if (curl_multi_add_handle(multi_.get(), easy) != CURLM_OK) throw Failure("libcurl cannot begin an exchange");
  }

  std::optional<WebAnswer> next(std::int64_t wait_ms) override {
    const std::int64_t until = now_ms() + wait_ms;
    while (true) {
      int running = 0;
      curl_multi_perform(multi_.get(), &running);
      int waiting = 0;
      while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &waiting)) {
        if (message->msg == CURLMSG_DONE) return answer_of(message->easy_handle, message->data.result);
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
  void prepare(Exchange& exchange) const {
    CURL* const easy = exchange.easy.get();
    const WebRequest& request = exchange.request;
    set(easy, CURLOPT_URL, request.url.c_str());
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set(easy, CURLOPT_PROXY, "");  // a proxy would reach what must not be reached
    set(easy, CURLOPT_NOSIGNAL, 1L);
    set(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1L);
    set(easy, CURLOPT_FORBID_REUSE, 1L);
    set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.timeout_ms / 2));
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout_ms));
    set(easy, CURLOPT_USERAGENT, options_.user_agent.c_str());
    set(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(easy, CURLOPT_OPENSOCKETDATA, static_cast<void*>(&exchange));
    set(easy, CURLOPT_WRITEFUNCTION, take_body);
    set(easy, CURLOPT_WRITEDATA, static_cast<void*>(&exchange));
    if (request.kind == WebRequest::Kind::head) set(easy, CURLOPT_NOBODY, 1L);
    if (request.kind == WebRequest::Kind::start) {
      set(easy, CURLOPT_RANGE, ("0-" + std::to_string(request.bytes_max - 1)).c_str());
    }
  }

  WebAnswer answer_of(CURL* easy, CURLcode code) {
    const auto ended = exchanges_.extract(easy);
    Exchange& exchange = *ended.mapped();
    WebAnswer answer;
    answer.ticket = exchange.request.ticket;
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    const bool is_answered = code == CURLE_OK || (code == CURLE_WRITE_ERROR && exchange.is_cut);
    if (is_answered) {
      answer.status = static_cast<int>(status);
      read_head(easy, answer);
      answer.body = std::move(exchange.body);
    } else {
      answer.is_not_public = exchange.is_not_public;
      answer.error = exchange.is_not_public ? "its address is not public" : error_text(code);
    }
    curl_multi_remove_handle(multi_.get(), easy);
    return answer;
  }

  static void read_head(CURL* easy, WebAnswer& answer) {
    const char* text = nullptr;
    if (curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &text) == CURLE_OK && text != nullptr) {
      answer.content_type = text;
    }
    text = nullptr;
    if (curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &text) == CURLE_OK && text != nullptr) answer.location = text;
    curl_off_t seconds = 0;
    if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0) {
      constexpr curl_off_t kDay = 86'400;
      answer.retry_after_s = static_cast<std::uint32_t>(std::min(seconds, kDay));
    }
  }

  Library library_;
  CurlWebOptions options_;
  std::map<CURL*, std::unique_ptr<Exchange>> exchanges_;
  Multi multi_;
};

}  // namespace

std::unique_ptr<Web> make_curl_web(CurlWebOptions options) { return std::make_unique<CurlWeb>(std::move(options)); }

}  // namespace tonearm::builder
