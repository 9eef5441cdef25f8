// tonearm-canned-server: the HTTP server of the native host with a constant response. The cost of a request here is the
// host's share; the rest of a real server's time is the service. Prints "listening on URL" and serves until a signal or
// the end of its input.

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iostream>
#include <iterator>

#include "http/http_server.h"
#include "monitoring/log.h"
#include "monitoring/metrics.h"
#include "system/system_ports.h"
#include "system/worker_pool.h"

namespace tonearm::bench {
namespace {

class CannedHandler final : public native::Handler {
 public:
  explicit CannedHandler(Response answer) : answer_(std::move(answer)) {}

  std::variant<Response, Admitted> admit(const RequestHead& /*head*/) override { return Admitted{}; }
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& /*head*/) override { return Admitted{}; }
  Response answer(const Admitted& /*admitted*/, const Request& /*request*/) override { return answer_; }

 private:
  const Response answer_;
};

/// {"headers": {name: value}, "body": text}
Response read_answer(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto read = boost::json::parse(std::string{std::istreambuf_iterator<char>(file), {}}).as_object();
  Response answer;
  for (const auto& [name, value] : read.at("headers").as_object()) {
    answer.headers.push_back({std::string(name), boost::json::value_to<std::string>(value)});
  }
  answer.body = boost::json::value_to<std::string>(read.at("body"));
  return answer;
}

/// Uses as many threads as the real server does with the same setting.
void serve(const std::string& answer, std::size_t threads) {
  constexpr std::size_t kQueueMax = 2'000;
  CannedHandler handler(read_answer(answer));
  native::WorkerPool pool(threads, {.waiting_max = kQueueMax});
  native::SystemClock clock;
  native::SystemRandom random;
  const auto log = native::open_log("", native::LogFormat::text);
  native::Metrics metrics;
  native::IoThreads io_threads(threads);
  native::HttpServer server({io_threads, handler, pool, clock, random, *log, metrics}, {{"127.0.0.1", 0}, {}, {}, {}});
  io_threads.start(*log);
  std::cout << "listening on " << server.url() << std::endl;
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());
  io_threads.stop();
  pool.stop();
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  std::string answer;
  std::size_t threads = 1;
  CLI::App app("Answers every request with the same, through the native host's HTTP loop.");
  app.add_option("--answer", answer, "a JSON file of headers and body")->required()->check(CLI::ExistingFile);
  app.add_option("--threads", threads, "as of tonearm-server")->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    tonearm::bench::serve(answer, threads);
    return EXIT_SUCCESS;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-canned-server: " << failure.what() << '\n';
    return EXIT_FAILURE;
  }
}
