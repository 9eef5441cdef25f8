// Sums the reports of two flushes.
#include <tonearm/flush_report.h>
#include <array>

int main() {
  tonearm::FlushReport all;
  for (const auto& one : std::array{tonearm::FlushReport{2, 5}, tonearm::FlushReport{1, 0}}) {
    all.counters_written += one.counters_written;
    all.records_written += one.records_written;
  }
  return all.counters_written == 3 && all.records_written == 5 ? 0 : 1;
}
