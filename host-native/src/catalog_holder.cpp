#include "catalog_holder.h"

#include <utility>

namespace tonearm::native {

CatalogHolder::CatalogHolder(std::string path, Catalog::Options options, Hashing& hashing, Log& log)
    : path_(std::move(path)), options_(options), hashing_(hashing), log_(log) {}

std::shared_ptr<const Catalog> CatalogHolder::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void CatalogHolder::put(std::shared_ptr<const Catalog> catalog) {
  {
    const std::lock_guard lock(mutex_);
    current_.swap(catalog);
  }
  // The old one may be closed here, outside the lock.
}

void CatalogHolder::look() {
  try {
    if (std::exchange(unchecked_, false)) check_served();
    const auto found = mark_of(path_);
    if (!found) {
      if (!std::exchange(missing_logged_, true)) log_.warning("there is no catalog at " + path_);
      return;
    }
    missing_logged_ = false;
    // Also where the path now holds another file: requests still read this one.
    if (opened_) check_unchanged(file_->mark());
    if (found == seen_) return;
    seen_ = found;
    if (opened_ && found->same_file(file_->mark())) return;
    take_up();
  } catch (const std::exception& fault) {
    log_.error("the catalog " + path_ + " is refused: " + fault.what());
  }
}

void CatalogHolder::check_unchanged(const FileMark& found) {
  if (found == *opened_) return;
  opened_.reset();
  put(nullptr);
  log_.error("the catalog " + path_ +
             " was changed in place and is no longer served; put a new snapshot there by renaming it onto the path");
}

void CatalogHolder::check_served() {
  const auto catalog = current();
  if (!catalog) return;
  const auto sound = catalog->check_blocks(hashing_);
  if (sound) return;
  opened_.reset();
  put(nullptr);
  log_.error("the catalog " + path_ + " is no longer served: " + sound.error().message);
}

void CatalogHolder::take_up() {
  auto file = std::make_shared<const PinnedFile>(path_);
  const auto mark = file->mark();
  const auto opened = Catalog::open(file, options_);
  if (!opened) {
    log_.error("the catalog " + path_ + " is refused: " + opened.error().message);
    return;
  }
  unchecked_ = current() == nullptr;
  const auto sound = unchecked_ ? Result<void>() : (*opened)->check_blocks(hashing_);
  if (!sound) {
    log_.error("the catalog " + path_ + " is refused: " + sound.error().message);
    return;
  }
  if (file->mark() != mark) {
    log_.error("the catalog " + path_ + " is refused: it changed while it was opened");
    return;
  }
  log_.info("catalog " + (*opened)->version() + " with " + std::to_string((*opened)->track_count()) + " tracks");
  file_ = std::move(file);
  opened_ = mark;
  put(*opened);
}

}  // namespace tonearm::native
