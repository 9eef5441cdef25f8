// Returns a value, or the error to answer with.
#include <tonearm/result.h>

tonearm::Result<int> limit_of(int limit) {
  if (limit < 1 || limit > 50) {
    return tonearm::Error{tonearm::ErrorCode::invalid_parameter, "\"limit\" takes 1 to 50."};
  }
  return limit;
}

int main() {
  const auto rejected = limit_of(51);
  return *limit_of(20) == 20 && !rejected && tonearm::error_row(rejected.error().code).status == 400 ? 0 : 1;
}
