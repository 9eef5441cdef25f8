// Reads the result of `route`.
#include <tonearm/shard_service.h>

std::string where(const std::variant<tonearm::Response, tonearm::CallRoute>& routed) {
  if (const auto* rejected = std::get_if<tonearm::Response>(&routed)) return std::to_string(rejected->status);
  const auto& route = std::get<tonearm::CallRoute>(routed);
  return route.in_shard ? "shard of " + route.account : "here";
}

int main() {
  return where(tonearm::CallRoute{"acc_1", true}) == "shard of acc_1" && where(tonearm::CallRoute{}) == "here" ? 0 : 1;
}
