#pragma once
// Points in time as text, always in UTC. Pure, thread-safe. Parameters are Unix times in the unit of their name, from
// the year 0 to the year 9999.

#include <cstdint>
#include <string>

namespace tonearm {

/// "2026-01-15T12:00:59Z": RFC 3339 in whole seconds, rounded down.
std::string rfc3339(std::int64_t unix_ms);

/// "2026-01-15": full-date of RFC 3339.
std::string rfc3339_date(std::int64_t unix_s);

/// "Sun, 06 Nov 1994 08:49:37 GMT": IMF-fixdate (RFC 9110, 5.6.7), rounded down.
std::string http_date(std::int64_t unix_ms);

}  // namespace tonearm
