// Makes the head of a request as a host does. `find_header` returns a pointer into the headers.
#include <tonearm/http.h>

int main() {
  const tonearm::RequestHead head{"GET", "/v1/meta", {{"Authorization", "Bearer abc"}}};
  const std::string* value = tonearm::find_header(head.headers, "authorization");
  return value != nullptr && *value == "Bearer abc" ? 0 : 1;
}
