// One JSON array of flat objects; arrays of scalars inside them are lists of values.

#include "byte_source.h"
#include "decimal.h"
#include "failure.h"
#include "json_text.h"
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

void add_values(dom::element value, std::vector<std::string>& out, int levels = kListLevelsMax) {
  switch (value.type()) {
    case dom::element_type::STRING:
      out.emplace_back(value.get_string().value_unsafe());
      break;
    case dom::element_type::INT64:
      out.push_back(std::to_string(value.get_int64().value_unsafe()));
      break;
    case dom::element_type::UINT64:
      out.push_back(std::to_string(value.get_uint64().value_unsafe()));
      break;
    case dom::element_type::DOUBLE:
      out.push_back(decimal_text(value.get_double().value_unsafe()));
      break;
    case dom::element_type::BOOL:
      out.emplace_back(value.get_bool().value_unsafe() ? "true" : "false");
      break;
    case dom::element_type::ARRAY: {
      const dom::array items = value.get_array().value_unsafe();
      if (levels == 0) break;
      for (const dom::element item : items) add_values(item, out, levels - 1);
      break;
    }
    case dom::element_type::OBJECT:
    case dom::element_type::NULL_VALUE:
      break;
  }
}

/// Values of rows are texts, so a number of any size is read as what it is.
std::string as_text(std::string_view number) { return std::string("\"").append(number).append("\""); }

class JsonArrayReader final : public RowReader {
 public:
  explicit JsonArrayReader(const std::string& path) : text_(read_whole(path)) {
    dom::element root;
    auto error = parser_.allocate(text_.size() + 1, kDepthMax);
    if (error == simdjson::SUCCESS) error = parse_json(parser_, text_, as_text).get(root);
    if (error != simdjson::SUCCESS) throw Failure(path + ": is no JSON: " + simdjson::error_message(error));
    if (root.get_array().get(rows_) != simdjson::SUCCESS) throw Failure(path + ": is not a JSON array");
    at_ = rows_.begin();
  }

  bool next(Row& row) override {
    if (!(at_ != rows_.end())) return false;
    row = Row{};
    row.number = ++number_;
    dom::object fields;
    if ((*at_).get_object().get(fields) == simdjson::SUCCESS) {
      read_fields(fields, row);
    } else {
      row.broken = "is not an object";
    }
    ++at_;
    return true;
  }

 private:
  /// C10.2: of a key that stands twice neither value is taken for the row's.
  static void read_fields(dom::object fields, Row& row) {
    for (const auto field : fields) {
      const auto [cell, is_new] = row.cells.try_emplace(std::string(field.key));
      if (is_new) {
        add_values(field.value, cell->second);
        continue;
      }
      row.broken = "names the key \"" + text::quotable(field.key) + "\" twice";
      row.cells.clear();
      return;
    }
  }

  std::string text_;
  dom::parser parser_;
  dom::array rows_;
  dom::array::iterator at_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> open_json_array(const std::string& path) { return std::make_unique<JsonArrayReader>(path); }

}  // namespace tonearm::builder
