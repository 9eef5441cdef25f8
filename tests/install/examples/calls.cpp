// Makes the response for an error that a host detects itself.
#include <tonearm/calls.h>

int main() {
  const tonearm::Response answer =
      tonearm::error_response({tonearm::ErrorCode::too_large, "The body is larger than 65,536 bytes."});
  return answer.status == 413 && answer.body.starts_with(R"({"error":"too_large")") ? 0 : 1;
}
