// Formats Unix time.
#include <tonearm/dates.h>

int main() {
  return tonearm::rfc3339(1'768'478'459'999) == "2026-01-15T12:00:59Z" &&
                 tonearm::rfc3339_date(1'768'478'459) == "2026-01-15" &&
                 tonearm::http_date(784'111'777'000) == "Sun, 06 Nov 1994 08:49:37 GMT"
             ? 0
             : 1;
}
