#include "monitoring/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <mutex>
#include <stdexcept>
#include <utility>

#include "tonearm/terminal.h"

namespace tonearm::native {
namespace {

spdlog::logger make_logger(spdlog::sink_ptr sink, LogFormat format) {
  spdlog::logger logger("tonearm", std::move(sink));
  const auto* const pattern = format == LogFormat::json ? "{\"time\":\"%Y-%m-%dT%H:%M:%S.%eZ\",\"level\":\"%l\",%v}"
                                                        : "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
  logger.set_pattern(pattern, spdlog::pattern_time_type::utc);
  logger.flush_on(spdlog::level::info);
  return logger;
}

void append_member(std::string& out, std::string_view name, std::string_view value) {
  std::string escaped;
  escaped.reserve(value.size());
  for (const char c : value) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  if (!out.empty()) out += ',';
  // What terminal::line escapes has the same value in JSON.
  out.append("\"").append(name).append("\":\"").append(terminal::line(escaped)).append("\"");
}

/// Renders what follows time and level.
std::string render(LogFormat format, std::string_view line, std::span<const LogField> fields) {
  std::string out;
  if (format == LogFormat::json) {
    append_member(out, "message", line);
  } else {
    out = terminal::line(line);
  }
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    if (format == LogFormat::json) {
      append_member(out, name, value);
    } else {
      out.append(" ").append(name).append("=").append(terminal::line(value));
    }
  }
  return out;
}

class FormattedLog : public Log {
 public:
  explicit FormattedLog(LogFormat format) : format_(format) {}
  void info(std::string_view line) override { write(spdlog::level::info, render(format_, line, {})); }
  void warning(std::string_view line) override { write(spdlog::level::warn, render(format_, line, {})); }
  void error(std::string_view line) override { write(spdlog::level::err, render(format_, line, {})); }
  void request_error(std::string_view line, std::span<const LogField> fields) override {
    write(spdlog::level::err, render(format_, line, fields));
  }

 protected:
  LogFormat format() const { return format_; }

 private:
  virtual void write(spdlog::level::level_enum level, std::string_view text) = 0;

  const LogFormat format_;
};

class StderrLog final : public FormattedLog {
 public:
  explicit StderrLog(LogFormat format)
      : FormattedLog(format), logger_(make_logger(std::make_shared<spdlog::sinks::stderr_sink_mt>(), format)) {}

 private:
  void write(spdlog::level::level_enum level, std::string_view text) override { logger_.log(level, text); }

  spdlog::logger logger_;
};

class FileLog final : public FormattedLog {
 public:
  FileLog(std::string path, LogFormat format) : FormattedLog(format), path_(std::move(path)), logger_(open()) {}
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
      return make_logger(std::make_shared<spdlog::sinks::basic_file_sink_st>(path_), format());
    } catch (const std::exception& failure) {
      throw std::runtime_error("cannot open the log file " + path_ + ": " + failure.what());
    }
  }

  void write(spdlog::level::level_enum level, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    logger_.log(level, text);
  }

  const std::string path_;
  std::mutex mutex_;
  spdlog::logger logger_;
};

}  // namespace

std::unique_ptr<Log> open_log(const std::string& path, LogFormat format) {
  if (path.empty()) return std::make_unique<StderrLog>(format);
  return std::make_unique<FileLog>(path, format);
}

}  // namespace tonearm::native
