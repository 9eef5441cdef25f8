#pragma once
// Tracks of the API's answers in HTML. Pure, thread-safe.

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "html/texts.h"
#include "html/writer.h"

namespace tonearm::web {

/// A string member; empty where it is missing, null or no string.
std::string_view text_in(const boost::json::object& object, std::string_view name);
/// An object member; an empty object where it is none.
const boost::json::object& object_in(const boost::json::object& object, std::string_view name);

std::string track_path(const boost::json::object& track);
std::string artist_path(std::string_view artist);

/// What a track's license allows, in plain words (WEB-17).
std::string license_words(const Texts& texts, const boost::json::object& track);

/// "3:04"
std::string clock_time(const boost::json::value* seconds);
/// "PT184S", with what is behind the point: a duration of ISO 8601.
std::string iso_duration(const boost::json::value* seconds);

/// A track of a list: title, artist, duration, license, credit.
void write_card(html::Writer& out, const Texts& texts, const boost::json::object& track);
/// The cards of an answer that has `tracks`.
void write_cards(html::Writer& out, const Texts& texts, const boost::json::object& answer);

/// All of a track, with a player that needs no script.
void write_track(html::Writer& out, const Texts& texts, const boost::json::object& track);
/// schema.org's AudioObject as JSON-LD.
std::string audio_object(const boost::json::object& track);

}  // namespace tonearm::web
