#include "snapshot/catalog_holder.h"

#include <utility>

namespace tonearm::native {

CatalogHolder::CatalogHolder(std::string path, Catalog::Options options, Hashing& hashing, Log& log, SignatureRule rule)
    : path_(std::move(path)), options_(std::move(options)), hashing_(hashing), log_(log), rule_(std::move(rule)) {
  options_.interrupted = when_interrupted();
}

std::shared_ptr<const Catalog> CatalogHolder::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void CatalogHolder::serve(std::optional<Served> served) {
  auto catalog = served ? served->catalog : nullptr;
  {
    const std::lock_guard lock(mutex_);
    current_.swap(catalog);
  }
  served_ = std::move(served);
  if (!served_) seen_.reset();  // the next poll treats the file at the path as new
  // The old catalog may be closed here, outside the lock.
}

void CatalogHolder::refuse(const std::string& why) {
  ++refusals_;
  log_.error("the catalog " + path_ + ' ' + why);
}

void CatalogHolder::poll() {
  if (interrupted_) return;
  try {
    check_served();
    check_path();
    recheck_renamed();
  } catch (const std::exception& failure) {
    refuse("is refused: " + std::string(failure.what()));
  }
}

// Checks it even if the path now names another file, because requests still read this one.
void CatalogHolder::check_served() {
  if (!served_) return;
  const bool unchanged =
      served_->file->is_unchanged() && change_between(served_->checked, served_->file->mark()) != FileChange::other;
  if (unchanged) return;
  serve(std::nullopt);
  refuse("was changed in place and is no longer served; rename a new snapshot onto the path instead");
}

void CatalogHolder::check_path() {
  const auto found = mark_of(path_);
  if (!found) {
    if (!std::exchange(missing_logged_, true)) log_.warning("there is no catalog at " + path_);
    return;
  }
  missing_logged_ = false;
  if (found == seen_) return;
  seen_ = found;
  if (served_ && found->same_file(served_->checked)) return;
  activate();
}

void CatalogHolder::recheck_renamed() {
  if (!served_) return;
  const FileMark mark = served_->file->mark();
  if (mark == served_->checked) return;
  auto sound = check_signature(*served_->file, rule_);
  if (sound) sound = served_->catalog->check_blocks(hashing_, when_interrupted());
  if (interrupted_) return;
  if (sound) {
    served_->checked = mark;
    return;
  }
  serve(std::nullopt);
  refuse("is no longer served: " + sound.error().message);
}

void CatalogHolder::activate() {
  auto opened = open_checked(path_, options_, hashing_, rule_);
  if (interrupted_) return;
  if (!opened) return refuse("is refused: " + opened.error().message);
  auto& [file, catalog] = *opened;
  log_.info("catalog " + catalog->version() + " with " + std::to_string(catalog->track_count()) + " tracks");
  const FileMark mark = file->opened_mark();
  serve(Served{std::move(file), mark, std::move(catalog)});
}

}  // namespace tonearm::native
