#include "catalog/storage/phrase_tables.h"

#include "catalog/storage/statement.h"

namespace tonearm::catalog {

std::vector<std::vector<std::string>> read_synonym_sets(sqlite3* database) {
  std::vector<std::vector<std::string>> sets;
  Statement select(database, "SELECT set_number, phrase FROM synonyms ORDER BY set_number, place");
  BoundedRows rows(database);
  std::int64_t last = 0;
  while (rows.step(select)) {
    if (sets.empty() || select.integer(0) != last) sets.emplace_back();
    last = select.integer(0);
    sets.back().emplace_back(select.text(1));
  }
  return sets;
}

std::vector<PhraseRelation> read_relations(sqlite3* database) {
  std::vector<PhraseRelation> relations;
  Statement select(database, "SELECT phrase, target, relation, weight FROM relations ORDER BY place");
  BoundedRows rows(database);
  while (rows.step(select)) {
    const std::int64_t relation = select.integer(2);
    const std::int64_t weight = select.integer(3);
    if (relation < 0 || relation > static_cast<std::int64_t>(Relation::related) || weight < 1 || weight > 255) {
      throw_damaged("a relation of the thesaurus is wrong");
    }
    relations.push_back({std::string(select.text(0)), std::string(select.text(1)), static_cast<Relation>(relation),
                         static_cast<std::uint8_t>(weight)});
  }
  return relations;
}

}  // namespace tonearm::catalog
