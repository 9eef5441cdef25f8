// Reads lists in header fields. The results point into the parameters.
#include <tonearm/http_fields.h>

int main() {
  namespace fields = tonearm::http_fields;
  std::string_view list = " gzip;q=0.5 , br";
  const std::string_view first = fields::next_element(list, ',');
  return first == "gzip;q=0.5" && fields::trimmed(list) == "br" && fields::weight("0.5") == 500 &&
                 fields::matches_entity_tag(R"("a", W/"b")", R"("b")") && fields::path_of("/v1/meta?q=x") == "/v1/meta"
             ? 0
             : 1;
}
