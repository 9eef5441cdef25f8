#pragma once
// Renders tracks of API responses as HTML. Pure, thread-safe.

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "html/translations.h"
#include "html/writer.h"

namespace tonearm::web {

/// Returns a string member, or an empty string if it is missing, null or not a string.
std::string_view text_in(const boost::json::object& object, std::string_view name);
/// Returns an object member, or an empty object if it is missing or not an object.
const boost::json::object& object_in(const boost::json::object& object, std::string_view name);

std::string track_path(const boost::json::object& track);
std::string artist_path(std::string_view artist);

/// Summarizes what a track's license allows (WEB-17).
std::string license_summary(const Translations& texts, const boost::json::object& track);

/// "3:04"
std::string clock_time(const boost::json::value* seconds);
/// "PT184.25S": an ISO 8601 duration.
std::string iso_duration(const boost::json::value* seconds);

/// Writes a track of a list: title, artist, duration, license, credit.
void write_card(html::Writer& out, const Translations& texts, const boost::json::object& track);
/// Writes a card for each track in `tracks` of a response.
void write_cards(html::Writer& out, const Translations& texts, const boost::json::object& answer);

/// Writes a whole track, with an audio player that works without JavaScript.
void write_track(html::Writer& out, const Translations& texts, const boost::json::object& track);
/// Returns a schema.org AudioObject as JSON-LD.
std::string audio_object(const boost::json::object& track);

}  // namespace tonearm::web
