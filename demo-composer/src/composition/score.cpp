#include "composition/score.h"

#include <algorithm>
#include <tuple>

namespace tonearm::demo {
namespace {

void add_events(const Voice& voice, std::vector<Event>& events) {
  auto notes = voice.notes;
  std::stable_sort(notes.begin(), notes.end(),
                   [](const Note& a, const Note& b) { return std::tie(a.key, a.start) < std::tie(b.key, b.start); });
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto& note = notes[i];
    auto end = note.start + std::max<std::int64_t>(note.length, 1);
    const bool repeats_key = i + 1 < notes.size() && notes[i + 1].key == note.key;
    if (repeats_key && notes[i + 1].start == note.start) continue;
    if (repeats_key) end = std::min(end, notes[i + 1].start);
    events.push_back({note.start, 1, voice.channel, note.key, note.velocity});
    events.push_back({end, 0, voice.channel, note.key, 0});
  }
}

void add_number(std::string& bytes, std::uint32_t value, int width) {
  for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) {
    bytes += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
  }
}

/// Appends a variable-length quantity: seven bits per byte, with the highest bit set on all but the last byte.
void add_delay(std::string& bytes, std::uint32_t ticks) {
  std::string reversed(1, static_cast<char>(ticks & 0x7FU));
  while ((ticks >>= 7U) != 0) reversed += static_cast<char>((ticks & 0x7FU) | 0x80U);
  bytes.append(reversed.rbegin(), reversed.rend());
}

void add_chunk(std::string& file, std::string_view name, const std::string& body) {
  file += name;
  add_number(file, static_cast<std::uint32_t>(body.size()), 4);
  file += body;
}

void add_meta(std::string& track, int type, std::string_view body) {
  add_delay(track, 0);
  track += '\xFF';
  track += static_cast<char>(type);
  add_delay(track, static_cast<std::uint32_t>(body.size()));
  track += body;
}

void add_message(std::string& track, int status, int channel, int first, int second = -1) {
  track += static_cast<char>(status | channel);
  track += static_cast<char>(first);
  if (second >= 0) track += static_cast<char>(second);
}

std::string tempo_track(const Score& score) {
  std::string track;
  add_meta(track, 0x03, score.title);
  add_meta(track, 0x02, score.copyright);
  const auto& room = score.room;
  add_meta(track, 0x01,
           "mix " + std::to_string(kMixVersion) + ", room " + std::to_string(room.size) + " " +
               std::to_string(room.damp) + " " + std::to_string(room.width) + " " + std::to_string(room.level) +
               (score.is_loop ? ", loop" : ""));
  std::string tempo;
  add_number(tempo, static_cast<std::uint32_t>(60'000'000 / score.bpm), 3);
  add_meta(track, 0x51, tempo);
  add_meta(track, 0x58, std::string(1, static_cast<char>(score.beats_per_bar)) + "\x02\x18\x08");
  add_meta(track, 0x2F, "");
  return track;
}

std::string voice_track(const Voice& voice) {
  std::string track;
  add_delay(track, 0);
  add_message(track, 0xC0, voice.channel, voice.program);
  for (const auto& [controller, value] :
       {std::pair{7, voice.level}, {10, voice.pan}, {91, voice.reverb}, {93, voice.chorus}}) {
    add_delay(track, 0);
    add_message(track, 0xB0, voice.channel, controller, value);
  }
  Score alone;
  alone.voices = {voice};
  std::int64_t now = 0;
  for (const auto& event : events_of(alone)) {
    add_delay(track, static_cast<std::uint32_t>(event.tick - now));
    now = event.tick;
    add_message(track, event.velocity > 0 ? 0x90 : 0x80, event.channel, event.key, event.velocity);
  }
  add_meta(track, 0x2F, "");
  return track;
}

}  // namespace

std::vector<Event> events_of(const Score& score) {
  std::vector<Event> events;
  for (const auto& voice : score.voices) add_events(voice, events);
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.tick, a.order, a.channel, a.key) < std::tie(b.tick, b.order, b.channel, b.key);
  });
  return events;
}

std::string midi_file(const Score& score) {
  std::string head;
  add_number(head, 1, 2);
  add_number(head, static_cast<std::uint32_t>(score.voices.size() + 1), 2);
  add_number(head, kTicksPerBeat, 2);
  std::string file;
  add_chunk(file, "MThd", head);
  add_chunk(file, "MTrk", tempo_track(score));
  for (const auto& voice : score.voices) add_chunk(file, "MTrk", voice_track(voice));
  return file;
}

}  // namespace tonearm::demo
