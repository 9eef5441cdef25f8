// Rows in JSON and JSON Lines; an array in a row is a list of values.

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

/// A JSON text is read as a whole; larger ones must be converted to JSON Lines.
constexpr std::size_t kTextBytesMax = 64U << 20U;
/// A value needs at most 20 bytes of memory, and as little as two bytes of text ("1,1,1").
constexpr std::size_t kValuesMax = 8U << 20U;
constexpr std::size_t kDepthMax = 1U << 20U;
/// Values in lists that are nested deeper than this are ignored.
constexpr int kListLevelsMax = 16;

std::string read_whole(const std::string& path) {
  const auto bytes = open_bytes(path);
  std::string text;
  std::vector<char> piece(1U << 16U);
  while (const auto count = bytes->read(piece)) {
    text.append(piece.data(), count);
    if (text.size() > kTextBytesMax) throw Failure(path + ": is longer than 64 MiB; JSON Lines may be of any length");
  }
  // Counts separators of values, including those in strings; the limit leaves room for them.
  const auto values = std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (static_cast<std::size_t>(values) > kValuesMax) {
    throw Failure(path + ": contains more than " + std::to_string(kValuesMax) +
                  " values; JSON Lines may contain any number");
  }
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return text;
}

/// Returns the line of an error as ":7". Boost.JSON finds it, because simdjson does not report positions. Empty if
/// Boost.JSON accepts the text or does not reach the error.
std::string line_of_error(const std::string& text) {
  boost::json::stream_parser parser({}, {.max_depth = 256});  // it recurses
  boost::json::error_code error;
  const auto read = parser.write(text, error);
  if (!error) parser.finish(error);
  if (!error || error == boost::json::error::too_deep) return {};
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n') + 1;
  return std::string(":").append(std::to_string(line));
}

/// The result of adding a value to a row.
enum class Added : std::uint8_t { ok, repeated_key, too_long };

using Cells = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Adds a value and its nested values under `name`. `bytes_left`: the remaining size of the row.
Added add_values(dom::element value, const std::string& name, Cells& cells, std::size_t& bytes_left,
                 int levels = kListLevelsMax);

/// Adds the items of a list or the fields of an object; stops at the first error.
template <class Items, class Add>
Added add_all(const Items& items, Add add) {
  for (const auto item : items) {
    const auto added = add(item);
    if (added != Added::ok) return added;
  }
  return Added::ok;
}

Added add_values(dom::element value, const std::string& name, Cells& cells, std::size_t& bytes_left, int levels) {
  auto& out = cells[name];
  const auto size = name.size() + (value.is_string() ? value.get_string_length().value_unsafe() : 1);
  if (size > bytes_left) return Added::too_long;
  bytes_left -= size;
  switch (value.type()) {
    case dom::element_type::STRING:
      out.emplace_back(value.get_string().value_unsafe());
      return Added::ok;
    case dom::element_type::INT64:
      out.push_back(std::to_string(value.get_int64().value_unsafe()));
      return Added::ok;
    case dom::element_type::UINT64:
      out.push_back(std::to_string(value.get_uint64().value_unsafe()));
      return Added::ok;
    case dom::element_type::DOUBLE:
      out.push_back(decimal_text(value.get_double().value_unsafe()));
      return Added::ok;
    case dom::element_type::BOOL:
      out.emplace_back(value.get_bool().value_unsafe() ? "true" : "false");
      return Added::ok;
    case dom::element_type::ARRAY: {
      if (levels == 0) return Added::ok;
      const dom::array items = value.get_array().value_unsafe();
      return add_all(items, [&](dom::element item) { return add_values(item, name, cells, bytes_left, levels - 1); });
    }
    case dom::element_type::OBJECT: {
      if (levels == 0) return Added::ok;
      const dom::object fields = value.get_object().value_unsafe();
      std::set<std::string_view> keys;
      return add_all(fields, [&](dom::key_value_pair field) {
        if (!keys.insert(field.key).second) return Added::repeated_key;
        return add_values(field.value, name + "." + std::string(field.key), cells, bytes_left, levels - 1);
      });
    }
    case dom::element_type::NULL_VALUE:
      return Added::ok;
  }
  return Added::ok;
}

/// A row that repeats a key is malformed (LINE-5).
void read_row(dom::element value, Row& row) {
  dom::object fields;
  if (value.get_object().get(fields) != simdjson::SUCCESS) {
    row.broken = "is not an object";
    return;
  }
  std::set<std::string_view> keys;
  std::size_t bytes_left = kLineBytesMax;
  for (const auto field : fields) {
    const bool is_new = keys.insert(field.key).second;
    const auto added =
        is_new ? add_values(field.value, std::string(field.key), row.cells, bytes_left) : Added::repeated_key;
    if (added == Added::ok) continue;
    const auto key = text::quotable(field.key);
    row.broken = added == Added::too_long ? "is longer than 1 MiB"
                                          : (is_new ? "repeats a key of \"" : "repeats the key \"") + key + "\"";
    row.cells.clear();
    return;
  }
}

/// Values of rows are text, so a number of any size is read as a string.
std::string quoted_number(std::string_view number) { return std::string("\"").append(number).append("\""); }

/// Reads one JSON text: an array of rows, an object that contains them at the path `rows`, or a single row.
class JsonReader final : public RowReader {
 public:
  JsonReader(const RowLayout& layout, const std::string& path) : path_(path), text_(read_whole(path)) {
    dom::element root;
    auto error = parser_.allocate(text_.size() + 1, kDepthMax);
    if (error == simdjson::SUCCESS) error = parse_json(parser_, text_, quoted_number).get(root);
    if (error != simdjson::SUCCESS) {
      throw Failure(path + line_of_error(text_) + ": is not JSON: " + simdjson::error_message(error));
    }
    find_rows(root, layout.rows);
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
  /// Rows are iterated in place, because a list of them could be larger than their text.
  void find_rows(dom::element root, std::string_view path) {
    bool is_inside = false;
    while (root.is_object() && !path.empty()) {
      const auto dot = std::min(path.find('.'), path.size());
      dom::element inner;
      if (root.get_object().value_unsafe().at_key(path.substr(0, dot)).get(inner) != simdjson::SUCCESS) break;
      root = inner;
      path.remove_prefix(std::min(dot + 1, path.size()));
      is_inside = path.empty();
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
  /// One of these three is set: the position of the next row.
  std::optional<dom::array::iterator> items_;
  dom::array::iterator items_end_;
  std::optional<dom::object::iterator> fields_;
  dom::object::iterator fields_end_;
  std::optional<dom::element> single_;
  std::uint64_t number_ = 0;
};

/// Reads an object from each line.
class JsonLinesReader final : public RowReader {
 public:
  explicit JsonLinesReader(const std::string& path) : lines_(path) {
    if (parser_.allocate(kLineBytesMax + 1, kDepthMax) != simdjson::SUCCESS)
      throw Failure(path + ": not enough memory to read it");
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
    const auto error = parse_json(parser_, lines_.line(), quoted_number).get(value);
    if (error == simdjson::SUCCESS) {
      read_row(value, row);
    } else {
      row.broken = std::string("is not JSON: ") + simdjson::error_message(error);
    }
    return true;
  }

 private:
  LineReader lines_;
  dom::parser parser_;
};

}  // namespace

std::unique_ptr<RowReader> open_json_rows(const RowLayout& layout, const std::string& path) {
  return std::make_unique<JsonReader>(layout, path);
}

std::unique_ptr<RowReader> open_json_lines(const std::string& path) { return std::make_unique<JsonLinesReader>(path); }

}  // namespace tonearm::builder
