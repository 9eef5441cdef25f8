// One JSON array of flat objects; arrays of scalars inside them are lists of values.

#include <simdjson.h>

#include <limits>

#include "byte_source.h"
#include "decimal.h"
#include "failure.h"
#include "rows.h"

namespace tonearm::builder {
namespace {

namespace dom = simdjson::dom;

/// An array is read whole: what is larger is to be brought into JSON Lines first.
constexpr std::size_t kArrayBytesMax = 1U << 30U;
constexpr std::size_t kDepthMax = 16;

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

void add_values(dom::element value, std::vector<std::string>& out) {
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
      for (const dom::element item : items) add_values(item, out);
      break;
    }
    case dom::element_type::OBJECT:
    case dom::element_type::NULL_VALUE:
      break;
  }
}

class JsonArrayReader final : public RowReader {
 public:
  explicit JsonArrayReader(const std::string& path) : text_(read_whole(path)) {
    dom::element root;
    auto error = parser_.allocate(text_.size() + 1, kDepthMax);
    if (error == simdjson::SUCCESS) error = parser_.parse(text_).get(root);
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
      for (const auto field : fields) add_values(field.value, row.cells[std::string(field.key)]);
    } else {
      row.broken = "is not an object";
    }
    ++at_;
    return true;
  }

 private:
  std::string text_;
  dom::parser parser_;
  dom::array rows_;
  dom::array::iterator at_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> open_json_array(const std::string& path) { return std::make_unique<JsonArrayReader>(path); }

}  // namespace tonearm::builder
