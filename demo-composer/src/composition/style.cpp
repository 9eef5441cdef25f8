#include "composition/style.h"

#include <algorithm>

#include "composition/embedded.h"
#include "files/toml_table.h"

namespace tonearm::demo {
namespace {

using native::parse_toml;
using native::TomlTable;

constexpr std::string_view kStylesFile = "data/styles.toml";
constexpr std::string_view kPiecesFile = "data/pieces.toml";

constexpr std::array<std::pair<std::string_view, Role>, 8> kRoles{{{"pad", Role::pad},
                                                                   {"comp", Role::comp},
                                                                   {"strum", Role::strum},
                                                                   {"arp", Role::arp},
                                                                   {"bass", Role::bass},
                                                                   {"melody", Role::melody},
                                                                   {"guide", Role::guide},
                                                                   {"drums", Role::drums}}};

/// The keys of General MIDI on the drum channel.
constexpr std::array<std::pair<std::string_view, int>, 24> kDrums{
    {{"kick", 36},       {"rim", 37},     {"snare", 38},      {"clap", 39},      {"low_tom", 41},    {"hat", 42},
     {"pedal", 44},      {"mid_tom", 45}, {"open", 46},       {"high_tom", 48},  {"crash", 49},      {"ride", 51},
     {"tambourine", 54}, {"cowbell", 56}, {"bongo_high", 60}, {"bongo_low", 61}, {"conga_mute", 62}, {"conga", 63},
     {"conga_low", 64},  {"shaker", 70},  {"cabasa", 69},     {"claves", 75},    {"triangle", 81},   {"timbale", 65}}};

int number(const TomlTable& table, std::string_view key, int standard, int low, int high) {
  const auto value = table.integer(key).value_or(standard);
  if (value < low || value > high) {
    table.fail(key, "must be " + std::to_string(low) + " to " + std::to_string(high));
  }
  return static_cast<int>(value);
}

Room room_of(const TomlTable& table) {
  table.allow_only({"size", "damp", "width", "level"});
  const Room standard;
  return {number(table, "size", standard.size, 0, 100), number(table, "damp", standard.damp, 0, 100),
          number(table, "width", standard.width, 0, 100), number(table, "level", standard.level, 0, 100)};
}

Player player_of(const TomlTable& table, int channel) {
  table.allow_only({"role", "program", "low", "high", "voices", "velocity", "level", "pan", "reverb", "chorus",
                    "sections", "patterns"});
  Player player;
  const auto name = table.required_string("role");
  const auto* const role =
      std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& row) { return row.first == name; });
  if (role == kRoles.end()) table.fail("role", "is not a role");
  player.role = role->second;
  player.voice = {player.role == Role::drums ? kDrumChannel : channel,
                  number(table, "program", 0, 0, 127),
                  number(table, "level", 100, 0, 127),
                  number(table, "pan", 64, 0, 127),
                  number(table, "reverb", 40, 0, 127),
                  number(table, "chorus", 0, 0, 127),
                  {}};
  player.low = number(table, "low", 48, 21, 108);
  player.high = number(table, "high", 72, player.low + 11, 108);
  player.voices = number(table, "voices", 4, 1, 6);
  player.velocity = number(table, "velocity", 80, 1, 120);
  player.sections = table.string("sections").value_or("iabcko");
  player.patterns = table.strings("patterns");
  return player;
}

std::map<std::string, std::vector<Groove>> grooves_of(const TomlTable& table) {
  std::map<std::string, std::vector<Groove>> grooves;
  for (const auto& kind : table.keys()) {
    for (const auto& lines : table.one_or_more(kind)) {
      Groove groove;
      for (const auto& [name, key] : kDrums) {
        if (const auto steps = lines.string(name)) groove.emplace_back(key, *steps);
      }
      if (groove.size() != lines.keys().size()) table.fail(kind, "names an unknown drum");
      grooves[kind].push_back(std::move(groove));
    }
  }
  return grooves;
}

Band band_of(const TomlTable& table) {
  table.allow_only({"name", "swing", "swing_unit", "beats", "fills", "room", "players", "drums"});
  Band band;
  band.name = table.required_string("name");
  band.swing = number(table, "swing", 0, 0, 160);
  band.swing_unit = number(table, "swing_unit", 8, 8, 16);
  band.beats_per_bar = number(table, "beats", 4, 2, 6);
  band.has_fills = table.boolean("fills").value_or(false);
  if (const auto room = table.table("room")) band.room = room_of(*room);
  int channel = 0;
  for (const auto& row : table.tables("players")) {
    band.players.push_back(player_of(row, channel));
    if (++channel == kDrumChannel) ++channel;
  }
  if (const auto drums = table.table("drums")) band.grooves = grooves_of(*drums);
  return band;
}

Style style_of(const TomlTable& table) {
  table.allow_only({"genre", "progressions", "rhythms", "bands"});
  Style style;
  style.genre = table.required_string("genre");
  const auto progressions = table.required_table("progressions");
  for (const auto& mode : progressions.keys()) style.progressions[mode] = progressions.strings(mode);
  style.rhythms = table.strings("rhythms");
  for (const auto& row : table.tables("bands")) {
    auto band = band_of(row);
    style.bands[band.name] = std::move(band);
  }
  return style;
}

/// Parses "i4 a8 b8": the letter of each section and its number of bars.
std::vector<Section> form_of(const TomlTable& table) {
  const auto text = table.required_string("form");
  std::vector<Section> form;
  for (std::size_t i = 0; i < text.size();) {
    const char kind = text[i++];
    int bars = 0;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') bars = bars * 10 + (text[i++] - '0');
    if (std::string_view("iabcko").find(kind) == std::string_view::npos || bars < 1 || bars > 32) {
      table.fail("form", "must be sections such as \"i4 a8 b8\"");
    }
    form.push_back({kind, bars});
    while (i < text.size() && text[i] == ' ') ++i;
  }
  return form;
}

Piece piece_of(const TomlTable& table) {
  table.allow_only({"name", "title", "description", "genre", "band", "key", "bpm", "seed", "loop", "form", "license",
                    "moods", "uses"});
  Piece piece;
  piece.name = table.required_string("name");
  piece.title = table.required_string("title");
  piece.description = table.required_string("description");
  piece.genre = table.required_string("genre");
  piece.band = table.required_string("band");
  const auto key = table.required_string("key");
  const auto space = key.find(' ');
  if (space == std::string::npos) table.fail("key", "must be a tonic and a mode, such as \"D minor\"");
  piece.tonic = key.substr(0, space);
  piece.mode = key.substr(space + 1);
  piece.bpm = number(table, "bpm", 0, 40, 220);
  piece.seed = static_cast<std::uint64_t>(number(table, "seed", 1, 1, 1'000'000));
  piece.is_loop = table.boolean("loop").value_or(false);
  piece.form = form_of(table);
  piece.license = table.required_string("license");
  piece.moods = table.strings("moods");
  piece.uses = table.strings("uses");
  return piece;
}

}  // namespace

std::map<std::string, Style> read_styles() {
  const std::string name(kStylesFile);
  const auto file = parse_toml(embedded_file(name), name);
  std::map<std::string, Style> styles;
  for (const auto& row : TomlTable(file, name).tables("style")) {
    auto style = style_of(row);
    styles[style.genre] = std::move(style);
  }
  return styles;
}

std::vector<Piece> read_pieces() {
  const std::string name(kPiecesFile);
  const auto file = parse_toml(embedded_file(name), name);
  std::vector<Piece> pieces;
  for (const auto& row : TomlTable(file, name).tables("piece")) pieces.push_back(piece_of(row));
  return pieces;
}

}  // namespace tonearm::demo
