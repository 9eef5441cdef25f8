// Answers catalog requests of the API without a server and without keys.
#include <tonearm/catalog_reader.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const auto catalog = tonearm::Catalog::open(std::make_shared<example::SnapshotInMemory>(words[1]), {});
  if (!catalog) return 1;
  example::FixedClock clock;
  example::PredictableRandom random;
  example::WeakHashing hashing;
  const auto reader = tonearm::CatalogReader::make({clock, random, hashing, [&] { return *catalog; }, {}});
  const tonearm::Response answer = reader->answer({{"GET", "/v1/search?q=piano&limit=1", {}}, {}});
  return answer.status == 200 && answer.body.starts_with(R"({"tracks":[{)") ? 0 : 1;
}
