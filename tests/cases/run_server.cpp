// tonearm-cases-server: the native host's HTTP server, with a core whose clock and random bytes are controlled. It
// reads commands from stdin, one JSON object per line, and answers each with a line: {"reset": {...}} as in the
// transcript,
// {"advance_ms": N}. It exits at the end of its input.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <iostream>
#include <mutex>
#include <thread>

#include "core_host.h"
#include "files/pinned_file.h"
#include "http/http_server.h"
#include "server/admin_handler.h"

namespace tonearm::cases {
namespace {

/// The service of the current case file. Commands arrive only between requests.
class CurrentService final : public Service {
 public:
  void set(std::shared_ptr<CoreHost> host) {
    const std::lock_guard<std::mutex> lock(mutex_);
    host_ = std::move(host);
  }
  std::shared_ptr<CoreHost> host() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return host_;
  }

  std::variant<Response, Admitted> admit(const RequestHead& head) override { return host()->service().admit(head); }
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& head) override {
    return host()->service().try_admit(head);
  }
  Response answer(const Admitted& admitted, const Request& request) override {
    return host()->service().answer(admitted, request);
  }
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response) override {
    return host()->service().refuse(admitted, head, std::move(response));
  }
  std::optional<Response> refuse_admin(const RequestHead& head) override {
    return host()->service().refuse_admin(head);
  }
  std::optional<Response> refuse_metrics(const RequestHead& head) override {
    return host()->service().refuse_metrics(head);
  }
  Response handle_admin(const Request& request) override { return host()->service().handle_admin(request); }
  FlushReport flush() override { return host()->service().flush(); }
  bool retain_step() override { return host()->service().retain_step(); }
  ServiceCounts counts() const override { return host()->service().counts(); }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<CoreHost> host_;
};

Setup setup_of(const boost::json::object& reset) {
  Setup setup;
  setup.start_ms = reset.at("start_ms").as_int64();
  setup.seed = static_cast<std::uint64_t>(reset.at("seed").as_int64());
  setup.key_secret = boost::json::value_to<std::string>(reset.at("key_secret"));
  setup.admin_token = boost::json::value_to<std::string>(reset.at("admin_token"));
  return setup;
}

class CasesServer {
 public:
  explicit CasesServer(std::string snapshot)
      : snapshot_(std::move(snapshot)),
        log_(native::open_log("", native::LogFormat::text)),
        api_handler_(service_),
        admin_handler_({service_, metrics_, [] { return native::Metrics::Gauges(); }}),
        api_({threads_, api_handler_, pool_, clock_, random_, *log_, metrics_},
             {{"127.0.0.1", 0}, {}, {}, kCompression}),
        admin_({threads_, admin_handler_, pool_, clock_, random_, *log_, metrics_},
               {{"127.0.0.1", 0}, {}, {}, kCompression}) {
    threads_.start(*log_);
  }
  ~CasesServer() {
    threads_.stop();
    pool_.stop();
  }
  CasesServer(const CasesServer&) = delete;
  CasesServer& operator=(const CasesServer&) = delete;

  void serve(std::istream& commands, std::ostream& answers) {
    answers << R"({"api":")" << api_.url() << R"(","admin":")" << admin_.url() << R"("})" << std::endl;
    std::string line;
    while (std::getline(commands, line)) {
      const auto command = boost::json::parse(line).as_object();
      if (const auto* reset = command.if_contains("reset")) this->reset(reset->as_object());
      if (const auto* advance = command.if_contains("advance_ms")) service_.host()->advance_ms(advance->as_int64());
      answers << "{}" << std::endl;
    }
  }

 private:
  static constexpr auto kCompression = native::Compression::off;

  void reset(const boost::json::object& setup) {
    std::shared_ptr<const Catalog> catalog;
    if (setup.at("catalog").as_string() != "none") {
      catalog = Catalog::open(std::make_shared<const native::PinnedFile>(snapshot_), {}).value();
    }
    service_.set(std::make_shared<CoreHost>(setup_of(setup), std::move(catalog)));
  }

  std::string snapshot_;
  std::unique_ptr<native::Log> log_;
  native::SystemClock clock_;
  native::SystemRandom random_;
  native::Metrics metrics_;
  CurrentService service_;
  native::ServiceHandler api_handler_;
  native::AdminHandler admin_handler_;
  native::WorkerPool pool_{2, {.waiting_max = 100}};
  native::IoThreads threads_{1};
  native::HttpServer api_;
  native::HttpServer admin_;
};

}  // namespace
}  // namespace tonearm::cases

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: tonearm-cases-server catalog.sqlite\n";
    return 2;
  }
  try {
    tonearm::cases::CasesServer(argv[1]).serve(std::cin, std::cout);
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-cases-server: " << failure.what() << '\n';
    return 1;
  }
}
