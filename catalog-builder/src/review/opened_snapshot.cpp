#include "review/opened_snapshot.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <stdexcept>

#include "reflection/track_type.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sql.h"

namespace tonearm::builder {

TrackPath::TrackPath(std::string_view path) : index_(table::track_path(path)) {
  if (index_ == table::track_paths().size()) throw std::logic_error("tracks have no " + std::string(path));
}

std::string_view TrackPath::of(const RenderedTrack& track) const {
  if (track.offsets.size() <= 2 * index_ + 1) throw CatalogDamaged("the snapshot is damaged: a track has no offsets");
  const std::size_t begin = track.offsets[2 * index_];
  const std::size_t end = track.offsets[2 * index_ + 1];
  if (end == 0) return "null";
  if (begin > end || end > track.json.size()) throw CatalogDamaged("the snapshot is damaged: an offset is wrong");
  return track.json.substr(begin, end - begin);
}

std::string text_of(std::string_view json) {
  boost::system::error_code code;
  const auto value = boost::json::parse({json.data(), json.size()}, code);
  const auto* text = code ? nullptr : value.if_string();
  return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

std::shared_ptr<const native::PinnedFile> open_snapshot_file(const std::string& path) {
  try {
    return std::make_shared<const native::PinnedFile>(path);
  } catch (const std::runtime_error& failure) {
    throw Failure(failure.what());
  }
}

OpenedSnapshot::OpenedSnapshot(std::string path) : path_(std::move(path)), file_(open_snapshot_file(path_)) {
  const auto opened = Catalog::open(file_, {.allow_evaluation = true});
  if (!opened) throw Failure(path_ + ": " + opened.error().message);
  catalog_ = *opened;
}

RenderedTrack OpenedSnapshot::track(std::uint32_t position) const {
  return catalog_->render(std::span(&position, 1)).front();
}

std::map<std::uint32_t, std::string> OpenedSnapshot::matching_titles() const {
  return tonearm::matching_titles(*file_, *catalog_);
}

}  // namespace tonearm::builder
