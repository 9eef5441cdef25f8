// The Broad Sound Taxonomy, version 1.1 (TAXONOMY-1).

#include "tonearm/track.h"

namespace tonearm {

const std::array<Category, kCategoryCount> kCategories{{
    {"m-sp", "Solo percussion", "music", "Music", "m"},
    {"m-si", "Solo instrument", "music", "Music", "m"},
    {"m-m", "Multiple instruments", "music", "Music", "m"},
    {"m-other", "Other", "music", "Music", "m"},
    {"is-p", "Percussion", "instrument-samples", "Instrument samples", "is"},
    {"is-s", "String", "instrument-samples", "Instrument samples", "is"},
    {"is-w", "Wind", "instrument-samples", "Instrument samples", "is"},
    {"is-k", "Piano / Keyboard instruments", "instrument-samples", "Instrument samples", "is"},
    {"is-e", "Synths / Electronic", "instrument-samples", "Instrument samples", "is"},
    {"is-other", "Other", "instrument-samples", "Instrument samples", "is"},
    {"sp-s", "Solo speech", "speech", "Speech", "sp"},
    {"sp-c", "Conversation / Crowd", "speech", "Speech", "sp"},
    {"sp-p", "Processed / Synthetic", "speech", "Speech", "sp"},
    {"sp-other", "Other", "speech", "Speech", "sp"},
    {"fx-o", "Objects / House appliances", "sound-effects", "Sound effects", "fx"},
    {"fx-v", "Vehicles", "sound-effects", "Sound effects", "fx"},
    {"fx-m", "Other mechanisms, engines, machines", "sound-effects", "Sound effects", "fx"},
    {"fx-h", "Human sounds and actions", "sound-effects", "Sound effects", "fx"},
    {"fx-a", "Animals", "sound-effects", "Sound effects", "fx"},
    {"fx-n", "Natural elements and explosions", "sound-effects", "Sound effects", "fx"},
    {"fx-ex", "Experimental", "sound-effects", "Sound effects", "fx"},
    {"fx-el", "Electronic / Design", "sound-effects", "Sound effects", "fx"},
    {"fx-other", "Other", "sound-effects", "Sound effects", "fx"},
    {"ss-n", "Nature", "soundscapes", "Soundscapes", "ss"},
    {"ss-i", "Indoors", "soundscapes", "Soundscapes", "ss"},
    {"ss-u", "Urban", "soundscapes", "Soundscapes", "ss"},
    {"ss-s", "Synthetic / Artificial", "soundscapes", "Soundscapes", "ss"},
    {"ss-other", "Other", "soundscapes", "Soundscapes", "ss"},
}};

std::optional<std::uint8_t> find_category(std::string_view id) {
  for (std::size_t i = 0; i < kCategories.size(); ++i) {
    if (kCategories[i].id == id) return static_cast<std::uint8_t>(i);
  }
  return std::nullopt;
}

}  // namespace tonearm
