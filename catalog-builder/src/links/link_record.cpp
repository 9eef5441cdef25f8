#include "links/link_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <cstring>

#include "files/publication.h"
#include "input/line_reader.h"
#include "json/writer.h"
#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Failure(path + ": " + what + ": " + std::strerror(errno));
}

std::string string_at(const boost::json::object& fields, std::string_view key) {
  return std::string(fields.at(key).as_string());
}

LinkState state_named(std::string_view name) {
  const auto* const found = std::find(kLinkStateNames.begin(), kLinkStateNames.end(), name);
  if (found == kLinkStateNames.end()) throw std::invalid_argument("unknown state");
  return static_cast<LinkState>(found - kLinkStateNames.begin());
}

std::int64_t time_at(const boost::json::object& fields, std::string_view key) {
  const auto* const value = fields.if_contains(key);
  if (value == nullptr) return 0;
  const auto seconds = value->to_number<std::int64_t>();
  constexpr std::int64_t kYear9999 = 253'402'300'799;
  if (seconds < 0 || seconds > kYear9999) throw std::invalid_argument("not a time");
  return seconds;
}

/// Throws std::exception if the line is not a record.
std::pair<std::string, LinkRecord> read_line(const std::string& line) {
  const auto value = boost::json::parse(line);
  const auto& fields = value.as_object();
  LinkRecord record;
  record.state = state_named(fields.at("state").as_string());
  record.reason = string_at(fields, "reason");
  record.checked_s = time_at(fields, "checked_s");
  record.failing_since_s = time_at(fields, "failing_since_s");
  if (const auto* const failures = fields.if_contains("failures")) {
    record.failures = failures->to_number<std::uint32_t>();
  }
  if (const auto* const licenses = fields.if_contains("licenses")) {
    for (const auto& license : licenses->as_array()) record.licenses.emplace(license.as_string());
  }
  return {string_at(fields, "url"), std::move(record)};
}

/// Returns the offset after the last complete line.
std::int64_t end_of_last_line(int file, const std::string& path) {
  std::int64_t end = ::lseek(file, 0, SEEK_END);
  if (end < 0) fail(path, "cannot be read");
  char last = '\n';
  while (end > 0 && (::pread(file, &last, 1, end - 1) != 1 || last != '\n')) --end;
  return end;
}

}  // namespace

std::string link_line(std::string_view url, const LinkRecord& record) {
  json::Writer out;
  out.begin_object();
  out.string("url", url);
  out.string("state", kLinkStateNames[static_cast<std::size_t>(record.state)]);
  out.string("reason", record.reason);
  out.integer("checked_s", record.checked_s);
  if (record.failures > 0) {
    out.integer("failures", record.failures);
    out.integer("failing_since_s", record.failing_since_s);
  }
  if (!record.licenses.empty()) {
    out.key("licenses");
    out.begin_array();
    for (const std::string& license : record.licenses) out.string(license);
    out.end_array();
  }
  out.end_object();
  return out.take();
}

LinkRecords read_link_records(const std::string& path) {
  LinkRecords records;
  LineReader lines(path);
  const auto reject = [&path](std::uint64_t number) {
    throw Failure(path + ":" + std::to_string(number) + ": is not a result of check-links");
  };
  std::optional<std::uint64_t> cut_off;
  while (lines.next()) {
    if (cut_off) reject(*cut_off);  // only the last line may be incomplete, after a check was interrupted
    if (lines.too_long()) reject(lines.number());
    if (lines.line().empty()) continue;
    try {
      auto [url, record] = read_line(lines.line());
      records.insert_or_assign(std::move(url), std::move(record));
    } catch (const std::exception&) {
      if (lines.line().ends_with('}')) reject(lines.number());
      cut_off = lines.number();
    }
  }
  return records;
}

LinkJournal::LinkJournal(std::string path) : path_(std::move(path)) {
  constexpr mode_t kMode = 0644;
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
  if (file_ < 0) fail(path_, "cannot be written");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw Failure(path_ + ": another check is writing this file");
  }
  if (::ftruncate(file_, end_of_last_line(file_, path_)) != 0) fail(path_, "cannot be written");
}

LinkJournal::~LinkJournal() { ::close(file_); }

void LinkJournal::append(std::string_view url, const LinkRecord& record) {
  const std::string line = link_line(url, record) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::write(file_, line.data() + done, line.size() - done);
    if (count < 0 && errno != EINTR) fail(path_, "cannot be written");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  if (::fdatasync(file_) != 0) fail(path_, "cannot be made durable");
}

void LinkJournal::compact(const LinkRecords& records) {
  native::Publication file(path_);
  std::string lines;
  for (const auto& [url, record] : records) lines += link_line(url, record) + "\n";
  file.write(lines);
  file.publish();
}

}  // namespace tonearm::builder
