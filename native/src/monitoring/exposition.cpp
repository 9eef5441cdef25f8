#include "monitoring/exposition.h"

namespace tonearm::native {

std::string seconds_text(std::chrono::nanoseconds time) {
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  auto fraction = std::to_string(1'000'000 + microseconds % 1'000'000);
  fraction[0] = '.';
  return std::to_string(microseconds / 1'000'000) + fraction;
}

void Exposition::family(std::string_view name, std::string_view type, std::string_view help) {
  family_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ");
  text_.append(type).append("\n");
}

void Exposition::sample(std::string_view suffix, std::string_view labels, std::string_view value) {
  text_.append(family_).append(suffix);
  if (!labels.empty()) text_.append("{").append(labels).append("}");
  text_.append(" ").append(value).append("\n");
}

void Exposition::sample(std::string_view suffix, std::string_view labels, std::uint64_t value) {
  sample(suffix, labels, std::to_string(value));
}

void Exposition::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "counter", help);
  sample("", "", value);
}

void Exposition::gauge(std::string_view name, std::string_view help, std::uint64_t value) {
  family(name, "gauge", help);
  sample("", "", value);
}

}  // namespace tonearm::native
