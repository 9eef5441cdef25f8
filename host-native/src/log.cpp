#include "log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace tonearm::native {
namespace {

class StderrLog final : public Log {
 public:
  StderrLog() : logger_("tonearm", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger_.set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    logger_.flush_on(spdlog::level::info);
  }
  void info(std::string_view line) override { write(spdlog::level::info, line); }
  void warning(std::string_view line) override { write(spdlog::level::warn, line); }
  void error(std::string_view line) override { write(spdlog::level::err, line); }

 private:
  void write(spdlog::level::level_enum level, std::string_view line) {
    logger_.log(level, spdlog::string_view_t(line.data(), line.size()));
  }

  spdlog::logger logger_;
};

}  // namespace

std::unique_ptr<Log> make_stderr_log() { return std::make_unique<StderrLog>(); }

}  // namespace tonearm::native
