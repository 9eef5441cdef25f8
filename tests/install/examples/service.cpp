// Runs the whole API with a state in memory. A call without a key is 401.
#include <tonearm/service.h>
#include <tonearm/sqlite.h>
#include "in_memory.h"

int main(int count, char** words) {
  if (count != 2) return 2;
  const auto catalog = tonearm::Catalog::open(std::make_shared<example::SnapshotInMemory>(words[1]), {});
  if (!catalog) return 1;
  example::FixedClock clock;
  example::PredictableRandom random;
  example::WeakHashing hashing;
  const auto store =
      tonearm::sql::make_sqlite_store(tonearm::sql::open_sqlite(":memory:", tonearm::sql::OpenMode::read_write_create));
  const auto service = tonearm::Service::make({clock, random, hashing, *store, [&] { return *catalog; }}, {});
  const tonearm::Response answer = service->handle({{"GET", "/v1/search?q=piano", {}}, {}});
  service->flush();
  return answer.status == 401 ? 0 : 1;
}
