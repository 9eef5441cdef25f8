#include "program/check_links.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_set>

#include "links/link_checker.h"
#include "links/link_record.h"
#include "review/opened_snapshot.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

struct FieldRow {
  std::string_view name;
  LinkUse use;
};
constexpr std::array<FieldRow, 3> kFields{{
    {"preview_url", LinkUse::audio},
    {"original_url", LinkUse::audio},
    {"source_page", LinkUse::page},
}};

/// Selects the URLs to check: at most `limit`, those without a record first, then the oldest records.
class DueLinks {
 public:
  DueLinks(const LinkRecords& records, std::int64_t due_since_s, std::uint64_t limit)
      : records_(records), due_since_s_(due_since_s), limit_(limit) {}

  void add(std::string_view url, LinkUse use) {
    if (!is_http_url(url)) return;
    const auto record = records_.find(url);
    if (record == records_.end()) {
      if (unknown_.size() < limit_ && seen_.emplace(url).second) unknown_.push_back({std::string(url), use});
    } else if (record->second.checked_s <= due_since_s_) {
      old_.insert_or_assign({record->second.checked_s, record->first}, use);
      if (old_.size() > limit_) old_.erase(std::prev(old_.end()));
    }
  }

  std::vector<Link> finish() {
    for (const auto& [key, use] : old_) {
      if (unknown_.size() == limit_) break;
      unknown_.push_back({std::string(key.second), use});
    }
    return std::move(unknown_);
  }

 private:
  const LinkRecords& records_;
  std::int64_t due_since_s_;
  std::uint64_t limit_;
  std::vector<Link> unknown_;
  std::unordered_set<std::string> seen_;
  std::map<std::pair<std::int64_t, std::string_view>, LinkUse> old_;  // by time and URL
};

std::vector<Link> due_links(const CheckLinksOptions& options, const LinkRecords& records, std::int64_t now_s) {
  DueLinks due(records, now_s - static_cast<std::int64_t>(options.max_age_days) * kDaySeconds, options.limit);
  const OpenedSnapshot snapshot(options.snapshot);
  for (const auto& [name, use] : kFields) {
    const TrackPath path(name);
    for (std::uint32_t position = 0; position < snapshot.catalog().track_count(); ++position) {
      due.add(text_of(path.of(snapshot.track(position))), use);
    }
  }
  return due.finish();
}

/// Counts consecutive failures from the earlier record.
void count_failures(LinkRecord& record, const LinkRecord* before) {
  if (record.state != LinkState::unreachable) return;
  const bool is_repeated = before != nullptr && before->state == LinkState::unreachable;
  record.failures = is_repeated ? before->failures + 1 : 1;
  record.failing_since_s = is_repeated ? before->failing_since_s : record.checked_s;
}

std::string summary_of(const std::array<std::uint64_t, kLinkStateNames.size()>& counts, std::size_t checked) {
  std::string text = std::to_string(checked) + " URLs checked";
  for (std::size_t state = 0; state < counts.size(); ++state) {
    if (counts[state] == 0) continue;
    text += "\n  " + std::string(kLinkStateNames[state]) + "  " + std::to_string(counts[state]);
  }
  return text + "\n";
}

}  // namespace

std::string check_links(const CheckLinksOptions& options, public_web::Web& web,
                        const std::function<std::int64_t()>& now_s, native::Progress& progress) {
  LinkJournal journal(options.results);
  LinkRecords records = read_link_records(options.results);
  const std::vector<Link> links = due_links(options, records, now_s());
  progress.begin("checking", links.size());
  std::array<std::uint64_t, kLinkStateNames.size()> counts{};
  LinkChecker checker(web, {.pause_ms = static_cast<std::int64_t>(options.pause_ms)});
  checker.check(links, [&](const Link& link, LinkRecord record) {
    const auto before = records.find(link.url);
    record.checked_s = now_s();
    count_failures(record, before == records.end() ? nullptr : &before->second);
    journal.append(link.url, record);
    ++counts[static_cast<std::size_t>(record.state)];
    records.insert_or_assign(link.url, std::move(record));
    progress.advance(1);
  });
  journal.compact(records);
  progress.clear_line();
  return summary_of(counts, links.size());
}

std::string user_agent(const std::string& version, const std::string& contact) {
  return "tonearm-catalog/" + version + (contact.empty() ? "" : " (+" + contact + ")");
}

}  // namespace tonearm::builder
