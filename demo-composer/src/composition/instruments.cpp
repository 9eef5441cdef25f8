#include <algorithm>
#include <array>

#include "composition/composer.h"

namespace tonearm::demo {
namespace {

struct Family {
  int first;  // programs of General MIDI, from 0
  int last;
  std::string_view tag;
};

constexpr std::array<Family, 43> kFamilies{{
    {0, 3, "piano"},
    {4, 5, "electric-piano"},
    {6, 6, "harpsichord"},
    {7, 7, "clavinet"},
    {8, 8, "celesta"},
    {9, 9, "glockenspiel"},
    {11, 11, "vibraphone"},
    {12, 12, "marimba"},
    {13, 13, "xylophone"},
    {14, 14, "bells"},
    {16, 18, "organ"},
    {19, 19, "church-organ"},
    {21, 21, "accordion"},
    {22, 22, "harmonica"},
    {24, 24, "classical-guitar"},
    {25, 25, "acoustic-guitar"},
    {26, 31, "electric-guitar"},
    {32, 32, "double-bass"},
    {33, 37, "bass"},
    {38, 39, "synth-bass"},
    {40, 40, "violin"},
    {41, 41, "viola"},
    {42, 42, "cello"},
    {43, 43, "double-bass"},
    {44, 45, "strings"},
    {46, 46, "harp"},
    {47, 47, "timpani"},
    {48, 49, "strings"},
    {50, 51, "synths"},
    {52, 54, "choir"},
    {56, 56, "trumpet"},
    {57, 57, "trombone"},
    {58, 58, "tuba"},
    {59, 59, "trumpet"},
    {60, 60, "french-horn"},
    {61, 61, "brass"},
    {62, 63, "synths"},
    {64, 67, "saxophone"},
    {68, 68, "oboe"},
    {71, 71, "clarinet"},
    {73, 75, "flute"},
    {80, 103, "synths"},
    {110, 110, "violin"},
}};

std::string_view tag_of(const Voice& voice) {
  if (voice.channel == kDrumChannel) return voice.program == 24 || voice.program == 25 ? "drum-machine" : "drums";
  if (voice.program == 114) return "steel-drums";
  for (const auto& family : kFamilies) {
    if (voice.program >= family.first && voice.program <= family.last) return family.tag;
  }
  return {};
}

}  // namespace

std::vector<std::string> instruments_of(const Score& score) {
  std::vector<std::string> tags;
  for (const auto& voice : score.voices) {
    const std::string tag(tag_of(voice));
    if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
  }
  return tags;
}

}  // namespace tonearm::demo
