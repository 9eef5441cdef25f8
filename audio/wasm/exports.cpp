// The exports of fingerprint.wasm, which src/film/fingerprint.ts of the site calls. Exceptions become those of
// JavaScript.

#include <cstddef>
#include <cstdint>

#include "film_sound.h"

using tonearm::audio::FilmSound;

#define TONEARM_EXPORT(name) extern "C" __attribute__((export_name(#name)))

TONEARM_EXPORT(tonearm_make_film) FilmSound* tonearm_make_film() { return new FilmSound; }

TONEARM_EXPORT(tonearm_begin_sound)
bool tonearm_begin_sound(FilmSound* film, std::uint32_t sample_rate, std::uint32_t channels) {
  return film->begin(sample_rate, channels);
}

TONEARM_EXPORT(tonearm_reserve_sound) std::int16_t* tonearm_reserve_sound(FilmSound* film, std::size_t frames) {
  return film->input(frames);
}

TONEARM_EXPORT(tonearm_add_sound) void tonearm_add_sound(FilmSound* film) { film->add(); }

TONEARM_EXPORT(tonearm_add_silence) void tonearm_add_silence(FilmSound* film, std::size_t frames) {
  film->add_silence(frames);
}

TONEARM_EXPORT(tonearm_end_sound) void tonearm_end_sound(FilmSound* film) { film->end(); }

TONEARM_EXPORT(tonearm_count_pieces) std::size_t tonearm_count_pieces(FilmSound* film) { return film->pieces().size(); }

TONEARM_EXPORT(tonearm_piece_begin) double tonearm_piece_begin(FilmSound* film, std::size_t index) {
  return film->pieces()[index].begin_s;
}

/// Returns a text that ends with 0.
TONEARM_EXPORT(tonearm_piece_text) const char* tonearm_piece_text(FilmSound* film, std::size_t index) {
  return film->pieces()[index].fingerprint.c_str();
}

TONEARM_EXPORT(tonearm_drop_pieces) void tonearm_drop_pieces(FilmSound* film) { film->pieces().clear(); }
