// Relates phrases for a snapshot, and counts the narrower ones.
#include <tonearm/thesaurus.h>
#include <algorithm>
#include <vector>

int main() {
  using tonearm::Relation;
  const std::vector<tonearm::PhraseRelation> relations{{"dog", "labrador", Relation::narrower, 102},
                                                       {"dog", "leash", Relation::related, 51}};
  const auto is_narrower = [](const auto& relation) { return relation.relation == Relation::narrower; };
  return std::count_if(relations.begin(), relations.end(), is_narrower) == 1 ? 0 : 1;
}
