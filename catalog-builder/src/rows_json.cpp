// Rows in JSON, and in JSON Lines; arrays inside a row are lists of values.

#include <set>

#include "byte_source.h"
#include "decimal.h"
#include "failure.h"
#include "json_text.h"
#include "line_reader.h"
#include "rows.h"
#include "text/unicode.h"

namespace tonearm::builder {
namespace {

namespace dom = simdjson::dom;

/// An array is read whole: what is larger is to be brought into JSON Lines first.
constexpr std::size_t kArrayBytesMax = 1U << 30U;
constexpr std::size_t kDepthMax = 1U << 20U;
/// Lists in lists deeper than this hold no values.
constexpr int kListLevelsMax = 16;

std::string read_whole(const std::string& path) {
  const auto bytes = open_bytes(path);
  std::string text;
  std::vector<char> piece(1U << 16U);
  while (const auto count = bytes->read(piece)) {
    text.append(piece.data(), count);
    if (text.size() > kArrayBytesMax) throw Failure(path + ": is longer than 1 GiB");
  }
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return text;
}

using Cells = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Adds a value, and what lies in it, under `name`; false where an object inside names a key twice.
bool add_values(dom::element value, const std::string& name, Cells& cells, int levels = kListLevelsMax) {
  auto& out = cells[name];
  switch (value.type()) {
    case dom::element_type::STRING:
      out.emplace_back(value.get_string().value_unsafe());
      return true;
    case dom::element_type::INT64:
      out.push_back(std::to_string(value.get_int64().value_unsafe()));
      return true;
    case dom::element_type::UINT64:
      out.push_back(std::to_string(value.get_uint64().value_unsafe()));
      return true;
    case dom::element_type::DOUBLE:
      out.push_back(decimal_text(value.get_double().value_unsafe()));
      return true;
    case dom::element_type::BOOL:
      out.emplace_back(value.get_bool().value_unsafe() ? "true" : "false");
      return true;
    case dom::element_type::ARRAY: {
      const dom::array items = value.get_array().value_unsafe();
      bool is_well = true;
      if (levels == 0) return true;
      for (const dom::element item : items) is_well = add_values(item, name, cells, levels - 1) && is_well;
      return is_well;
    }
    case dom::element_type::OBJECT: {
      const dom::object fields = value.get_object().value_unsafe();
      std::set<std::string_view> keys;
      bool is_well = true;
      if (levels == 0) return true;
      for (const auto field : fields) {
        is_well = keys.insert(field.key).second && is_well;
        is_well = add_values(field.value, name + "." + std::string(field.key), cells, levels - 1) && is_well;
      }
      return is_well;
    }
    case dom::element_type::NULL_VALUE:
      return true;
  }
  return true;
}

/// C10.2: of a key that stands twice neither value is taken for the row's.
void read_row(dom::element value, Row& row) {
  dom::object fields;
  if (value.get_object().get(fields) != simdjson::SUCCESS) {
    row.broken = "is not an object";
    return;
  }
  std::set<std::string_view> keys;
  for (const auto field : fields) {
    const bool is_new = keys.insert(field.key).second;
    if (is_new && add_values(field.value, std::string(field.key), row.cells)) continue;
    row.broken =
        std::string(is_new ? "names a key of \"" : "names the key \"") + text::quotable(field.key) + "\" twice";
    row.cells.clear();
    return;
  }
}

/// Values of rows are texts, so a number of any size is read as what it is.
std::string as_text(std::string_view number) { return std::string("\"").append(number).append("\""); }

/// One JSON text: an array of rows, an object that holds them at the form's place, or one row.
class JsonReader final : public RowReader {
 public:
  JsonReader(const RowForm& form, const std::string& path) : text_(read_whole(path)) {
    dom::element root;
    auto error = parser_.allocate(text_.size() + 1, kDepthMax);
    if (error == simdjson::SUCCESS) error = parse_json(parser_, text_, as_text).get(root);
    if (error != simdjson::SUCCESS) throw Failure(path + ": is no JSON: " + simdjson::error_message(error));
    find_rows(root, form.rows);
    if (rows_.empty() && !is_list_) throw Failure(path + ": is neither a JSON array nor an object");
  }

  bool next(Row& row) override {
    if (number_ == rows_.size()) return false;
    row = Row{};
    read_row(rows_[number_], row);
    row.number = ++number_;
    return true;
  }

 private:
  void find_rows(dom::element root, std::string_view place) {
    while (root.is_object() && !place.empty()) {
      const auto dot = std::min(place.find('.'), place.size());
      dom::element inner;
      if (root.get_object().value_unsafe().at_key(place.substr(0, dot)).get(inner) != simdjson::SUCCESS) break;
      root = inner;
      place.remove_prefix(std::min(dot + 1, place.size()));
      is_inside_ = place.empty();
    }
    if (root.is_array()) {
      is_list_ = true;
      const dom::array rows = root.get_array().value_unsafe();
      for (const dom::element row : rows) rows_.push_back(row);
    } else if (root.is_object() && is_inside_) {
      is_list_ = true;
      const dom::object rows = root.get_object().value_unsafe();
      for (const auto field : rows) rows_.push_back(field.value);
    } else if (root.is_object()) {
      rows_.push_back(root);
    }
  }

  std::string text_;
  dom::parser parser_;
  std::vector<dom::element> rows_;
  bool is_inside_ = false;
  bool is_list_ = false;
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
