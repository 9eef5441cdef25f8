// Reads the terms of a license and makes a credit line. The texts of a license have static lifetime.
#include <tonearm/license.h>

int main() {
  const auto id = tonearm::find_license("cc-by-4.0");
  if (!id || tonearm::find_license("cc-by")) return 1;  // an id includes the version
  const std::string line = tonearm::credit_line({"Rain", "Ann Example", "https://example.org/rain", *id});
  return tonearm::license(*id).commercial && tonearm::attribution(*id, false) == tonearm::Attribution::required &&
                 line.starts_with(R"("Rain" by Ann Example (https://example.org/rain) is licensed under CC BY 4.0.)")
             ? 0
             : 1;
}
