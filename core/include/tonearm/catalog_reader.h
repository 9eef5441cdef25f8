#pragma once
// The routes that need only the catalog, without keys, accounts and records. It is for programs that read a catalog
// themselves, such as a web page. No server may offer it, because every call to a server needs a key (KEY-1).

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm {

/// Not thread-safe: one thread at a time.
class CatalogReader {
 public:
  /// All of them outlive the reader. `catalog`: see Service::Dependencies. `report_failure`: see ServiceOptions.
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

  /// HOST-40, HOST-41: returns the same bytes as `Service::answer`, without the RateLimit fields; 404 on routes that
  /// need more than the catalog.
  virtual Response answer(const Request& request) = 0;
};

}  // namespace tonearm
