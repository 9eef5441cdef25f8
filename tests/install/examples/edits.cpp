// Compares a mistyped word with a correct one.
#include <tonearm/edits.h>

int main() {
  const std::string_view typed = "pianp";
  const std::size_t edits =
      tonearm::edits_within(typed, std::string_view("piano"), tonearm::typo_edits_max(typed.size()));
  return edits == 1 && tonearm::edit_distance("rain", "train") == 1 ? 0 : 1;
}
