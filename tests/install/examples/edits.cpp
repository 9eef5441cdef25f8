// Which word was meant.
#include <tonearm/edits.h>

int main() {
  const std::string_view typed = "pianp";
  const std::size_t edits = tonearm::edits_within(typed, std::string_view("piano"), tonearm::near_edits(typed.size()));
  return edits == 1 && tonearm::edit_distance("rain", "train") == 1 ? 0 : 1;
}
