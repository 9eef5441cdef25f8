#include "catalog/writer/posting_list_builder.h"

#include <doctest/doctest.h>

#include "catalog/index/facets.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

class AppendedBytes final : public SnapshotOutput {
 public:
  std::string read(std::uint64_t offset, std::uint64_t size) override { return bytes.substr(offset, size); }
  void append(std::string_view more) override { bytes += more; }

  std::string bytes;
};

}  // namespace

TEST_CASE("positions and impacts are those that were added, however far apart") {
  const std::vector<std::uint32_t> positions{0, 1, 128, 256, 384, 16'767, 33'151, 2'130'302, 2'999'999};
  // The distances are 0, 1, 127, 128, 128, 16'383, 16'384, 2'097'151 and more: one byte more from 128, 16'384.
  const AverageLengths average{256, 256, 256, 256};
  const Layout layout{1'000'000, 2'000'000, 3'000'000, 3'000'000};
  PostingListBuilder builder;
  std::vector<std::uint8_t> impacts;
  for (const std::uint32_t position : positions) {
    Track track;
    track.loop = true;
    track.quality = static_cast<std::uint16_t>(position % 1'001);
    FieldCounts counts;
    counts.title = 1;
    counts.title_length = 1 + position % 7;
    builder.add(position, track, {{"rain", counts}}, average);
    impacts.push_back(impact(counts, average, track.quality));
  }
  AppendedBytes output;
  native::OpensslHashing hashing;
  SectionWriter sections(output, hashing, 0);
  const std::vector<std::uint32_t> tie_rank(layout.size);
  const std::vector<std::string> wanted{text_key("rain"), facet_key(kLoopFacet, kYes)};
  std::size_t lists = 0;
  const auto locations = builder.write(sections, layout, tie_rank, {{}, wanted}, [&] { ++lists; }).locations;
  CHECK(lists == builder.size());
  const auto list_of = [&](const std::string& key, PostingKind kind) {
    const PostingLocation& location = locations.at(key);
    return decode_posting_list(Extent(output.bytes), location.offset, location.counts, kind, layout.size);
  };
  const PostingList rain = list_of(wanted[0], PostingKind::text);
  CHECK(std::vector(rain.positions.begin(), rain.positions.end()) == positions);
  CHECK(std::equal(impacts.begin(), impacts.end(), rain.impacts.begin(), rain.impacts.end()));
  const PostingList loop = list_of(wanted[1], PostingKind::facet);
  CHECK(std::vector(loop.positions.begin(), loop.positions.end()) == positions);
}
