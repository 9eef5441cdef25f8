// Files of rows in every format, compressed and not. The first byte of an input selects them.

#include <array>
#include <string>

#include "input/rows.h"
#include "target.h"

namespace tonearm::fuzz {
namespace {

using builder::RowFormat;

constexpr std::array<const char*, 3> kExtensions{"", ".gz", ".zst"};
constexpr unsigned kFormats = 6;

builder::RowLayout layout_of(RowFormat format) {
  builder::RowLayout layout;
  layout.format = format;
  if (format == RowFormat::tsv || format == RowFormat::lines) layout.columns = {"file", "title"};
  if (format == RowFormat::json) layout.rows = "data.sounds";
  layout.pattern = "^(\\S+) (.*)$";
  layout.heading = boost::regex("^# (?<artist>.*)$");
  layout.skip = boost::regex("^$");
  layout.table = "sounds";
  return layout;
}

void run_rows(std::string_view input) {
  const unsigned choice = take_byte(input);
  const auto format = static_cast<RowFormat>(choice % kFormats);
  const auto* extension = kExtensions.at(choice / kFormats % kExtensions.size());
  const auto path = write_scratch("rows", input) + extension;
  if (*extension != '\0') write_scratch(std::string("rows") + extension, input);
  const auto layout = layout_of(format);
  allow_failure([&] {
    const auto rows = builder::open_rows(layout, path);
    builder::Row row;
    for (std::uint64_t before = 0; rows->next(row); before = row.number) {
      expect(row.number > before, "the numbers of rows do not grow");
      expect(!row.broken || row.cells.empty(), "a broken row has cells");
    }
  });
}

}  // namespace

const Target kRows{"rows", nullptr, run_rows};

}  // namespace tonearm::fuzz
