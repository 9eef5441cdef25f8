// Rows in JSON, and in JSON Lines; arrays inside a row are lists of values.

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "input/byte_source.h"
#include "input/json_text.h"
#include "input/line_reader.h"
#include "input/rows.h"
#include "text/unicode.h"
#include "tonearm/result.h"
#include "values/decimal.h"

namespace tonearm::builder {
namespace {

namespace dom = simdjson::dom;

/// A text is read whole; a larger one has to be converted to JSON Lines first.
constexpr std::size_t kTextBytesMax = 64U << 20U;
/// A value needs at most 20 bytes of memory, a byte of text as little as half of one ("1,1,1").
constexpr std::size_t kValuesMax = 8U << 20U;
constexpr std::size_t kDepthMax = 1U << 20U;
/// Lists in lists deeper than this hold no values.
constexpr int kListLevelsMax = 16;

std::string read_whole(const std::string& path) {
  const auto bytes = open_bytes(path);
  std::string text;
  std::vector<char> piece(1U << 16U);
  while (const auto count = bytes->read(piece)) {
    text.append(piece.data(), count);
    if (text.size() > kTextBytesMax) throw Failure(path + ": is longer than 64 MiB; JSON Lines may be of any length");
  }
  // What separates values; those in strings count as well, which real texts have room for.
  const auto values = std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (static_cast<std::size_t>(values) > kValuesMax) {
    throw Failure(path + ": holds more than " + std::to_string(kValuesMax) + " values; JSON Lines may hold any number");
  }
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return text;
}

/// ":7", where simdjson refused a text: it does not say where it stopped, Boost.JSON does. Empty where that takes it or
/// cannot say.
std::string line_of_error(const std::string& text) {
  boost::json::stream_parser parser({}, {.max_depth = 256});  // it recurses
  boost::json::error_code error;
  const auto read = parser.write(text, error);
  if (!error) parser.finish(error);
  if (!error || error == boost::json::error::too_deep) return {};
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n') + 1;
  return std::string(":").append(std::to_string(line));
}

/// What became of a row's value.
enum class Added : std::uint8_t { well, repeated_key, too_long };

using Cells = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Adds a value, and what lies in it, under `name`. `room`: bytes that the row may still take.
Added add_values(dom::element value, const std::string& name, Cells& cells, std::size_t& room,
                 int levels = kListLevelsMax);

/// Those of a list, or of an object's fields; stops at the first that is not well.
template <class Items, class Add>
Added add_all(const Items& items, Add add) {
  for (const auto item : items) {
    const auto added = add(item);
    if (added != Added::well) return added;
  }
  return Added::well;
}

Added add_values(dom::element value, const std::string& name, Cells& cells, std::size_t& room, int levels) {
  auto& out = cells[name];
  const auto size = name.size() + (value.is_string() ? value.get_string_length().value_unsafe() : 1);
  if (size > room) return Added::too_long;
  room -= size;
  switch (value.type()) {
    case dom::element_type::STRING:
      out.emplace_back(value.get_string().value_unsafe());
      return Added::well;
    case dom::element_type::INT64:
      out.push_back(std::to_string(value.get_int64().value_unsafe()));
      return Added::well;
    case dom::element_type::UINT64:
      out.push_back(std::to_string(value.get_uint64().value_unsafe()));
      return Added::well;
    case dom::element_type::DOUBLE:
      out.push_back(decimal_text(value.get_double().value_unsafe()));
      return Added::well;
    case dom::element_type::BOOL:
      out.emplace_back(value.get_bool().value_unsafe() ? "true" : "false");
      return Added::well;
    case dom::element_type::ARRAY: {
      if (levels == 0) return Added::well;
      const dom::array items = value.get_array().value_unsafe();
      return add_all(items, [&](dom::element item) { return add_values(item, name, cells, room, levels - 1); });
    }
    case dom::element_type::OBJECT: {
      if (levels == 0) return Added::well;
      const dom::object fields = value.get_object().value_unsafe();
      std::set<std::string_view> keys;
      return add_all(fields, [&](dom::key_value_pair field) {
        if (!keys.insert(field.key).second) return Added::repeated_key;
        return add_values(field.value, name + "." + std::string(field.key), cells, room, levels - 1);
      });
    }
    case dom::element_type::NULL_VALUE:
      return Added::well;
  }
  return Added::well;
}

/// Neither value of a key that stands twice is taken (LINE-5).
void read_row(dom::element value, Row& row) {
  dom::object fields;
  if (value.get_object().get(fields) != simdjson::SUCCESS) {
    row.broken = "is not an object";
    return;
  }
  std::set<std::string_view> keys;
  std::size_t room = kLineBytesMax;
  for (const auto field : fields) {
    const bool is_new = keys.insert(field.key).second;
    const auto added = is_new ? add_values(field.value, std::string(field.key), row.cells, room) : Added::repeated_key;
    if (added == Added::well) continue;
    const auto key = text::quotable(field.key);
    row.broken = added == Added::too_long ? "is longer than 1 MiB"
                                          : (is_new ? "names a key of \"" : "names the key \"") + key + "\" twice";
    row.cells.clear();
    return;
  }
}

/// Values of rows are texts, so a number of any size is read as what it is.
std::string as_text(std::string_view number) { return std::string("\"").append(number).append("\""); }

/// One JSON text: an array of rows, an object that holds them under the form's key, or one row.
class JsonReader final : public RowReader {
 public:
  JsonReader(const RowForm& form, const std::string& path) : path_(path), text_(read_whole(path)) {
    dom::element root;
    auto error = parser_.allocate(text_.size() + 1, kDepthMax);
    if (error == simdjson::SUCCESS) error = parse_json(parser_, text_, as_text).get(root);
    if (error != simdjson::SUCCESS) {
      throw Failure(path + line_of_error(text_) + ": is no JSON: " + simdjson::error_message(error));
    }
    find_rows(root, form.rows);
  }

  bool next(Row& row) override {
    row = Row{};
    if (items_ && *items_ != items_end_) {
      read_row(**items_, row);
      ++*items_;
    } else if (fields_ && *fields_ != fields_end_) {
      read_row(fields_->value(), row);
      ++*fields_;
    } else if (single_) {
      read_row(*single_, row);
      single_.reset();
    } else {
      return false;
    }
    row.number = ++number_;
    return true;
  }

 private:
  /// Rows are walked where they lie: a list of them could be longer than their text.
  void find_rows(dom::element root, std::string_view place) {
    bool is_inside = false;
    while (root.is_object() && !place.empty()) {
      const auto dot = std::min(place.find('.'), place.size());
      dom::element inner;
      if (root.get_object().value_unsafe().at_key(place.substr(0, dot)).get(inner) != simdjson::SUCCESS) break;
      root = inner;
      place.remove_prefix(std::min(dot + 1, place.size()));
      is_inside = place.empty();
    }
    if (root.is_array()) {
      const dom::array rows = root.get_array().value_unsafe();
      items_ = rows.begin();
      items_end_ = rows.end();
    } else if (root.is_object() && is_inside) {
      const dom::object rows = root.get_object().value_unsafe();
      fields_ = rows.begin();
      fields_end_ = rows.end();
    } else if (root.is_object()) {
      single_ = root;
    } else {
      throw Failure(path_ + ": is neither a JSON array nor an object");
    }
  }

  std::string path_;
  std::string text_;
  dom::parser parser_;
  /// One of the three: where the next row lies.
  std::optional<dom::array::iterator> items_;
  dom::array::iterator items_end_;
  std::optional<dom::object::iterator> fields_;
  dom::object::iterator fields_end_;
  std::optional<dom::element> single_;
  std::uint64_t number_ = 0;
};

/// An object a line.
class JsonLinesReader final : public RowReader {
 public:
  explicit JsonLinesReader(const std::string& path) : lines_(path) {
    if (parser_.allocate(kLineBytesMax + 1, kDepthMax) != simdjson::SUCCESS)
      throw Failure(path + ": no memory to read it");
  }

  bool next(Row& row) override {
    do {
      if (!lines_.next()) return false;
    } while (!lines_.too_long() && lines_.line().find_first_not_of(" \t\r") == std::string::npos);
    row = Row{};
    row.number = lines_.number();
    if (lines_.too_long()) {
      row.broken = "is longer than 1 MiB";
      return true;
    }
    dom::element value;
    const auto error = parse_json(parser_, lines_.line(), as_text).get(value);
    if (error == simdjson::SUCCESS) {
      read_row(value, row);
    } else {
      row.broken = std::string("is no JSON: ") + simdjson::error_message(error);
    }
    return true;
  }

 private:
  LineReader lines_;
  dom::parser parser_;
};

}  // namespace

std::unique_ptr<RowReader> open_json_rows(const RowForm& form, const std::string& path) {
  return std::make_unique<JsonReader>(form, path);
}

std::unique_ptr<RowReader> open_json_lines(const std::string& path) { return std::make_unique<JsonLinesReader>(path); }

}  // namespace tonearm::builder
