#include "monitoring/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <mutex>
#include <stdexcept>

#include "tonearm/terminal.h"

namespace tonearm::native {
namespace {

spdlog::logger make_logger(spdlog::sink_ptr sink) {
  spdlog::logger logger("tonearm", std::move(sink));
  logger.set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  logger.flush_on(spdlog::level::info);
  return logger;
}

class StderrLog final : public Log {
 public:
  void info(std::string_view line) override { logger_.info(terminal::line(line)); }
  void warning(std::string_view line) override { logger_.warn(terminal::line(line)); }
  void error(std::string_view line) override { logger_.error(terminal::line(line)); }

 private:
  spdlog::logger logger_ = make_logger(std::make_shared<spdlog::sinks::stderr_sink_mt>());
};

class FileLog final : public Log {
 public:
  explicit FileLog(std::string path) : path_(std::move(path)), logger_(open()) {}
  void info(std::string_view line) override { write(spdlog::level::info, line); }
  void warning(std::string_view line) override { write(spdlog::level::warn, line); }
  void error(std::string_view line) override { write(spdlog::level::err, line); }
  void reopen() override {
    try {
      auto fresh = open();
      const std::lock_guard lock(mutex_);
      logger_ = std::move(fresh);
    } catch (const std::exception& failure) {
      error(failure.what());
    }
  }

 private:
  spdlog::logger open() const {
    try {
      return make_logger(std::make_shared<spdlog::sinks::basic_file_sink_st>(path_));
    } catch (const std::exception& failure) {
      throw std::runtime_error("cannot open the log file " + path_ + ": " + failure.what());
    }
  }

  void write(spdlog::level::level_enum level, std::string_view line) {
    const std::lock_guard lock(mutex_);
    logger_.log(level, terminal::line(line));
  }

  const std::string path_;
  std::mutex mutex_;
  spdlog::logger logger_;
};

}  // namespace

std::unique_ptr<Log> make_stderr_log() { return std::make_unique<StderrLog>(); }

std::unique_ptr<Log> make_file_log(const std::string& path) { return std::make_unique<FileLog>(path); }

}  // namespace tonearm::native
