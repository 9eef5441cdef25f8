#include "monitoring/metrics.h"

#include <algorithm>

#include "monitoring/exposition.h"
#include "monitoring/process_usage.h"
#include "tonearm/http_fields.h"
#include "tonearm/route_templates.h"

namespace tonearm::native {
namespace {

constexpr std::string_view kMetricsPath = "/metrics";
/// Routes that the core does not have.
constexpr std::array<std::string_view, 2> kOwnRoutes{kMetricsPath, "other"};

std::size_t index_of(std::string_view target) {
  const auto index = route_index(target);
  if (index < route_templates().size()) return index;
  return index + (http_fields::path_of(target) == kMetricsPath ? 0 : 1);
}

std::string route_label(std::size_t index) {
  const auto templates = route_templates();
  const auto name = index < templates.size() ? templates[index] : kOwnRoutes.at(index - templates.size());
  return "route=\"" + std::string(name) + '"';
}

std::uint64_t gauge_of(const std::atomic<std::int64_t>& value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.load(), 0));
}

/// Formats a bound as Prometheus' own clients do: 0.0005, 0.01, 2.5, 10.
std::string bound_text(std::int64_t bound_us) {
  auto text = seconds_text(std::chrono::microseconds(bound_us));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

Metrics::Metrics() : series_(route_templates().size() + kOwnRoutes.size()) {}

void Metrics::count_request(std::string_view target, int status, std::chrono::nanoseconds took) {
  auto& series = series_[index_of(target)];
  const auto took_us = std::chrono::ceil<std::chrono::microseconds>(took).count();
  const auto bucket = std::lower_bound(kBucketsUs.begin(), kBucketsUs.end(), took_us) - kBucketsUs.begin();
  // Readers need no order between the numbers.
  constexpr auto kRelaxed = std::memory_order_relaxed;
  series.by_status[static_cast<std::size_t>(std::clamp(status, 100, 599) - 100)].fetch_add(1, kRelaxed);
  series.by_time[static_cast<std::size_t>(bucket)].fetch_add(1, kRelaxed);
  series.took_ns.fetch_add(took.count(), kRelaxed);
}

void Metrics::count_flush(std::size_t counters, std::size_t records) {
  ++flushes_;
  counters_written_ += counters;
  records_written_ += records;
}

void Metrics::append_requests(Exposition& out) const {
  out.family("tonearm_requests_total", "counter", "Requests answered.");
  for (std::size_t index = 0; index < series_.size(); ++index) {
    for (std::size_t status = 0; status < kStatuses; ++status) {
      const auto count = series_[index].by_status[status].load(std::memory_order_relaxed);
      if (count == 0) continue;
      out.sample("", route_label(index) + ",status=\"" + std::to_string(status + 100) + '"', count);
    }
  }
}

void Metrics::append_times(Exposition& out) const {
  out.family("tonearm_request_duration_seconds", "histogram",
             "Time from the head of a request to the end of its answer.");
  for (std::size_t index = 0; index < series_.size(); ++index) {
    const auto& series = series_[index];
    const auto label = route_label(index);
    std::array<std::uint64_t, kBucketsUs.size() + 1> up_to{};
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < up_to.size(); ++i)
      up_to[i] = count += series.by_time[i].load(std::memory_order_relaxed);
    if (count == 0) continue;
    for (std::size_t i = 0; i < kBucketsUs.size(); ++i) {
      out.sample("_bucket", label + ",le=\"" + bound_text(kBucketsUs[i]) + '"', up_to[i]);
    }
    out.sample("_bucket", label + ",le=\"+Inf\"", count);
    out.sample("_sum", label, seconds_text(std::chrono::nanoseconds(series.took_ns.load(std::memory_order_relaxed))));
    out.sample("_count", label, count);
  }
}

void Metrics::append_server(Exposition& out, const Gauges& gauges) const {
  out.gauge("tonearm_requests_in_flight", "Requests being answered.", gauge_of(in_flight));
  out.gauge("tonearm_connections", "Open connections.", gauge_of(connections));
  out.counter("tonearm_connections_refused_total", "Connections above a limit.", connections_refused_);
  out.counter("tonearm_tls_handshake_failures_total", "TLS handshakes that failed.", failed_handshakes_);
  out.gauge("tonearm_queued_jobs", "Requests waiting for a thread.", gauges.queued);
  out.counter("tonearm_answer_cache_hits_total", "Responses from the cache.", gauges.service.cache_hits);
  out.counter("tonearm_answer_cache_misses_total", "Responses that were not in the cache.",
              gauges.service.cache_misses);
  out.gauge("tonearm_answer_cache_bytes", "Memory of the response cache.", gauges.service.cache_bytes);
}

void Metrics::append_state(Exposition& out, const Gauges& gauges) const {
  out.counter("tonearm_failures_total", "Calls answered 503 because the state or the snapshot failed.", failures_);
  out.counter("tonearm_flushes_total", "Flushes of counts to the state.", flushes_);
  out.counter("tonearm_flush_failures_total", "Failed flushes.", flush_failures_);
  out.counter("tonearm_flushed_counters_total", "Counters written.", counters_written_);
  out.counter("tonearm_flushed_records_total", "Call records written.", records_written_);
  if (gauges.disk) {
    out.gauge("tonearm_state_free_bytes", "Free space on the disk of the state.", gauges.disk->free_bytes);
    out.gauge("tonearm_state_short_of_room", "1 while so little space is free that calls leave no records.",
              gauges.disk->is_short ? 1 : 0);
  }
  if (gauges.pool) {
    out.family("tonearm_postgresql_connections", "gauge", "Connections to PostgreSQL: idle, or in use or connecting.");
    out.sample("", "state=\"idle\"", gauges.pool->idle);
    out.sample("", "state=\"used\"", gauges.pool->open - gauges.pool->idle);
    out.gauge("tonearm_postgresql_waiting", "Calls waiting for a connection.", gauges.pool->waiting);
    out.counter("tonearm_postgresql_retries_total", "Retried transactions.", gauges.pool->retries);
  }
}

void Metrics::append_catalog(Exposition& out, const Gauges& gauges) {
  out.gauge("tonearm_catalog_tracks", "Tracks of the served catalog.", gauges.catalog_tracks);
  out.counter("tonearm_catalog_refusals_total", "Snapshots that were refused or dropped.", gauges.catalog_refusals);
  out.family("tonearm_catalog_info", "gauge", "The version of the served catalog.");
  if (!gauges.catalog_version.empty()) out.sample("", "version=\"" + gauges.catalog_version + '"', 1);
  if (gauges.storage) {
    const auto& [bytes, failures, missing_blocks, answered_s] = *gauges.storage;
    out.counter("tonearm_storage_bytes_total", "Bytes read from the store of the catalog.", bytes);
    out.counter("tonearm_storage_failures_total", "Failed comparisons and downloads of the catalog.", failures);
    out.gauge("tonearm_storage_missing_blocks", "Blocks of 64 KiB that a download lacks.", missing_blocks);
    out.gauge("tonearm_storage_answered_time_seconds",
              "When the served version was last the store's, in seconds since 1970; 0: never.",
              static_cast<std::uint64_t>(answered_s));
  }
}

void Metrics::append_process(Exposition& out) const {
  const auto usage = process_usage();
  out.family("process_start_time_seconds", "gauge", "When the server started, in seconds since 1970.");
  out.sample("", "", seconds_text(began_.time_since_epoch()));
  out.family("process_cpu_seconds_total", "counter", "Processor time of the server.");
  out.sample("", "", seconds_text(usage.processor_time));
  out.gauge("process_resident_memory_bytes", "Resident memory, pages of the snapshot included.", usage.resident_bytes);
}

std::string Metrics::text(const Gauges& gauges) const {
  Exposition out;
  append_requests(out);
  append_times(out);
  append_server(out, gauges);
  append_state(out, gauges);
  append_catalog(out, gauges);
  append_process(out);
  return out.text();
}

}  // namespace tonearm::native
