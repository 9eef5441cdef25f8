#pragma once
// What the catalog alone answers, without keys, accounts and records: for a catalog that its reader has in hand, such
// as one that a web page searches by itself. No server may offer it: there every call needs a key (KEY-1).

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm {

/// For one thread at a time.
class CatalogReader {
 public:
  /// All of them outlive the reader. `catalog` as of Service::Dependencies. `report_failure` as of ServiceOptions.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    std::function<std::shared_ptr<const Catalog>()> catalog;
    std::function<void(std::string_view)> report_failure;
    std::size_t answer_cache_bytes = 0;
  };
  static std::unique_ptr<CatalogReader> make(const Dependencies& dependencies);
  virtual ~CatalogReader() = default;

  /// HOST-40, HOST-41: on the catalog's routes the bytes that `Service::answer` gives an admitted call, less what says
  /// how many calls the account has left; everywhere else 404.
  virtual Response answer(const Request& request) = 0;
};

}  // namespace tonearm
