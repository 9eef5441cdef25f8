#include "tonearm/dates.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace tonearm {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// `number` in decimal, with zeros before it up to `digits`.
void append_padded(std::string& out, std::int64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  out.append(digits - std::min(digits, text.size()), '0').append(text);
}

void append_date(std::string& out, std::chrono::year_month_day date) {
  append_padded(out, static_cast<int>(date.year()), 4);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_padded(out, static_cast<unsigned>(date.day()), 2);
}

/// "12:00:59" of the seconds since midnight.
void append_time(std::string& out, std::int64_t of_day) {
  append_padded(out, of_day / 3'600, 2);
  out += ':';
  append_padded(out, of_day / 60 % 60, 2);
  out += ':';
  append_padded(out, of_day % 60, 2);
}

}  // namespace

std::string rfc3339(std::int64_t unix_ms) {
  const auto time = floor<seconds>(milliseconds(unix_ms));
  const auto day = floor<days>(time);
  std::string text;
  append_date(text, std::chrono::sys_days{day});
  text += 'T';
  append_time(text, (time - day).count());
  text += 'Z';
  return text;
}

std::string rfc3339_date(std::int64_t unix_s) {
  std::string text;
  append_date(text, std::chrono::sys_days{floor<days>(seconds(unix_s))});
  return text;
}

std::string http_date(std::int64_t unix_ms) {
  constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto time = floor<seconds>(milliseconds(unix_ms));
  const auto day = floor<days>(time);
  const std::chrono::sys_days midnight{day};
  const std::chrono::year_month_day date{midnight};
  std::string text(kDays[std::chrono::weekday(midnight).c_encoding()]);
  text += ", ";
  append_padded(text, static_cast<unsigned>(date.day()), 2);
  text.append(" ").append(kMonths[static_cast<unsigned>(date.month()) - 1]).append(" ");
  append_padded(text, static_cast<int>(date.year()), 4);
  text += ' ';
  append_time(text, (time - day).count());
  text += " GMT";
  return text;
}

}  // namespace tonearm
