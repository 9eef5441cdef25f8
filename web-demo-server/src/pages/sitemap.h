#pragma once
// The sitemap of all tracks for search engines, and the hosts of their audio. Both are read from the API in small steps
// and cached per version of the catalog. Safe for concurrent calls.

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "upstream/operator_account.h"

namespace tonearm::web {

class Sitemap {
 public:
  explicit Sitemap(OperatorAccount& operator_account) : operator_(operator_account) {}

  /// Reads a few pages of the list, unless the list for `version` is complete. One thread at a time. Throws
  /// std::runtime_error if the API does not answer; a later call resumes.
  void refresh(const std::string& version);

  /// The sitemap index; empty until a list is complete.
  std::string index() const;
  /// The sitemap file with that number, from 1; empty if there is none.
  std::string file(std::size_t number) const;
  /// The origins of the tracks' audio, which the Content-Security-Policy lists; empty until a list is complete.
  std::set<std::string> audio_origins() const;

 private:
  bool read_page();

  OperatorAccount& operator_;

  // The list that is being read.
  std::string pending_version_;
  std::size_t part_ = 0;
  std::string cursor_;
  std::vector<std::string> pending_urls_;
  std::set<std::string> pending_origins_;

  mutable std::mutex mutex_;
  std::string version_;
  std::vector<std::string> urls_;  // page_url of each track
  std::set<std::string> origins_;
};

}  // namespace tonearm::web
