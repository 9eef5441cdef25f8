#include "links/page_license.h"

#include <boost/regex.hpp>

#include "tonearm/ascii.h"

namespace tonearm::builder {

std::set<std::string> licenses_in(std::string_view page) {
  static const boost::regex kAddress(
      R"(//(?:www\.)?creativecommons\.org/((?:licenses/[a-z+-]{2,20}|publicdomain/(?:zero|mark))/[0-9]\.[0-9])(/[a-z]{2}(?![a-z.-]))?)",
      boost::regex::icase);
  std::set<std::string> named;
  using Iterator = boost::regex_iterator<std::string_view::const_iterator>;
  for (Iterator found(page.begin(), page.end(), kAddress), end; found != end; ++found) {
    const std::string path = ascii::to_lower(std::string((*found)[1].first, (*found)[1].second));
    std::string country = ascii::to_lower(std::string((*found)[2].first, (*found)[2].second));
    // A translated text ("/4.0/deed.de") is the same license; a ported license ("/3.0/de/") is not.
    if (path.ends_with("4.0") || path.starts_with("publicdomain/")) country.clear();
    named.insert(std::string("https://creativecommons.org/").append(path).append(country).append("/"));
  }
  return named;
}

}  // namespace tonearm::builder
