// Finds the route of a request. The templates have static lifetime.
#include <tonearm/route_templates.h>

int main() {
  const auto templates = tonearm::route_templates();
  const std::size_t index = tonearm::route_index("/v1/tracks/os-101?x=1");
  return index < templates.size() && templates[index] == "/v1/tracks/{id}" &&
                 tonearm::route_index("/nowhere") == templates.size()
             ? 0
             : 1;
}
