#pragma once
// All tracks for search engines, read from the API little by little and kept for one version of the catalog. Safe for
// concurrent calls.

#include <mutex>
#include <string>
#include <vector>

#include "upstream/operator_account.h"

namespace tonearm::web {

class Sitemap {
 public:
  explicit Sitemap(OperatorAccount& own) : own_(own) {}

  /// Reads some pages of the list, if that of `version` is not whole. One thread at a time. Throws std::runtime_error
  /// where the API does not answer; what was read is kept.
  void read_on(const std::string& version);

  /// The index; empty until a list is whole.
  std::string index() const;
  /// The file of that number, from 1; empty where there is none.
  std::string file(std::size_t number) const;

 private:
  bool read_page();

  OperatorAccount& own_;

  // Of the list that is being read.
  std::string reading_version_;
  std::size_t part_ = 0;
  std::string cursor_;
  std::vector<std::string> reading_;

  mutable std::mutex mutex_;
  std::string version_;
  std::vector<std::string> urls_;  // page_url of each track
};

}  // namespace tonearm::web
