// Terms and a credit line. Texts of a license live as long as the program.
#include <tonearm/license.h>

int main() {
  const auto id = tonearm::find_license("cc-by-4.0");
  if (!id || tonearm::find_license("cc-by")) return 1;  // a license has its version
  const std::string line = tonearm::credit_line({"Rain", "Ann Example", "https://example.org/rain", *id});
  return tonearm::license(*id).commercial && tonearm::attribution(*id, false) == tonearm::Attribution::required &&
                 line.starts_with(R"("Rain" by Ann Example (https://example.org/rain) is licensed under CC BY 4.0.)")
             ? 0
             : 1;
}
