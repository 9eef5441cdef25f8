#include "monitoring/metrics.h"

#include <algorithm>
#include <array>

#include "tonearm/http_fields.h"

namespace tonearm::native {
namespace {

struct RouteClass {
  std::string_view prefix;
  std::string_view name;
};

constexpr std::array<RouteClass, 9> kClasses{{
    {"/v1/search", "search"},
    {"/v1/tracks", "tracks"},
    {"/v1/meta", "meta"},
    {"/v1/collections", "collections"},
    {"/mcp", "mcp"},
    {"/admin", "admin"},
    {"/healthz", "health"},
    {"/readyz", "health"},
    {"/openapi.json", "openapi"},
}};

void append_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help,
                   std::uint64_t value) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ");
  out.append(type).append("\n").append(name).append(" ").append(std::to_string(value)).append("\n");
}

std::uint64_t gauge(const std::atomic<std::int64_t>& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.load(), 0));
}

std::string seconds(std::chrono::nanoseconds took) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  auto fraction = std::to_string(1'000'000 + microseconds % 1'000'000);
  fraction[0] = '.';
  return std::to_string(microseconds / 1'000'000) + fraction;
}

}  // namespace

std::string_view route_class(std::string_view target) {
  const auto path = http_fields::path_of(target);
  for (const auto& [prefix, name] : kClasses) {
    if (path.substr(0, prefix.size()) != prefix) continue;
    if (path.size() == prefix.size() || path[prefix.size()] == '/') return name;
  }
  return "other";
}

void Metrics::count_request(std::string_view target, int status, std::chrono::nanoseconds took) {
  const std::lock_guard lock(mutex_);
  auto& series = requests_[{route_class(target), status}];
  ++series.count;
  series.took += took;
}

void Metrics::count_flush(std::size_t counters, std::size_t records) {
  ++flushes_;
  counters_written_ += counters;
  records_written_ += records;
}

std::string Metrics::text(const Gauges& gauges) const {
  std::string counts = "# HELP tonearm_requests_total Requests answered.\n# TYPE tonearm_requests_total counter\n";
  std::string times =
      "# HELP tonearm_request_seconds_total Time from the head of a request to the end of its answer.\n"
      "# TYPE tonearm_request_seconds_total counter\n";
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, series] : requests_) {
      const auto labels = "{route=\"" + std::string(key.first) + "\",status=\"" + std::to_string(key.second) + "\"} ";
      counts += "tonearm_requests_total" + labels + std::to_string(series.count) + '\n';
      times += "tonearm_request_seconds_total" + labels + seconds(series.took) + '\n';
    }
  }
  auto out = counts + times;
  append_metric(out, "tonearm_requests_in_flight", "gauge", "Requests being answered.", gauge(in_flight));
  append_metric(out, "tonearm_connections", "gauge", "Open connections.", gauge(connections));
  append_metric(out, "tonearm_connections_refused_total", "counter", "Connections over the bound.",
                connections_refused_);
  append_metric(out, "tonearm_queued_jobs", "gauge", "Requests waiting for a thread.", gauges.queued);
  append_metric(out, "tonearm_flushes_total", "counter", "Times that counts were written to the state.", flushes_);
  append_metric(out, "tonearm_flush_failures_total", "counter", "Times that this failed.", flush_failures_);
  append_metric(out, "tonearm_flushed_counters_total", "counter", "Counters written.", counters_written_);
  append_metric(out, "tonearm_flushed_records_total", "counter", "Call records written.", records_written_);
  if (gauges.room) {
    append_metric(out, "tonearm_state_free_bytes", "gauge", "Room on the disk of the state.", gauges.room->free_bytes);
    append_metric(out, "tonearm_state_short_of_room", "gauge",
                  "1 while there is so little of it that calls leave no records of their own.",
                  gauges.room->is_short ? 1 : 0);
  }
  append_metric(out, "tonearm_catalog_tracks", "gauge", "Tracks of the catalog in force.", gauges.catalog_tracks);
  out += "# HELP tonearm_catalog_info The version of the catalog in force.\n# TYPE tonearm_catalog_info gauge\n";
  if (!gauges.catalog_version.empty()) out += "tonearm_catalog_info{version=\"" + gauges.catalog_version + "\"} 1\n";
  return out;
}

}  // namespace tonearm::native
