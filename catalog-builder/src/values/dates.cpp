#include "values/dates.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <chrono>

namespace tonearm::builder {

std::optional<std::string> iso_date(std::string_view text) {
  static const boost::regex kForm(R"((?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})/(\d{1,2})/(\d{4}))(?!\d).*)");
  boost::cmatch parts;
  if (!boost::regex_match(text.data(), text.data() + text.size(), parts, kForm)) return std::nullopt;
  const bool is_iso = parts[1].matched;
  const auto number = [&](int iso, int other) { return std::stoi(parts[is_iso ? iso : other].str()); };
  const std::chrono::year_month_day day(std::chrono::year(number(1, 6)),
                                        std::chrono::month(static_cast<unsigned>(number(2, 4))),
                                        std::chrono::day(static_cast<unsigned>(number(3, 5))));
  if (!day.ok() || day.year() <= std::chrono::year(0)) return std::nullopt;
  const auto padded = [](std::string digits, std::size_t size) {
    return digits.insert(0, size - std::min(size, digits.size()), '0');
  };
  return padded(std::to_string(number(1, 6)), 4) + "-" + padded(std::to_string(number(2, 4)), 2) + "-" +
         padded(std::to_string(number(3, 5)), 2);
}

}  // namespace tonearm::builder
