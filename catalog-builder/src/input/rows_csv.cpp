// CSV (RFC 4180): quoted fields may contain commas, line breaks and doubled quotes.

#include "input/byte_source.h"
#include "input/line_reader.h"
#include "input/rows.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

class CsvReader final : public RowReader {
 public:
  CsvReader(const RowLayout& layout, const std::string& path)
      : path_(path), bytes_(open_bytes(path)), buffer_(1U << 16U), columns_(layout.columns) {
    if (!columns_.empty()) return;
    for (std::size_t i = 0; i < layout.header_rows; ++i) read_header();
    reject_duplicate_columns(columns_, path);
  }

  std::optional<std::vector<std::string>> columns() const override { return columns_; }

  bool next(Row& row) override {
    do {
      row = Row{};
      if (!read_record()) return false;
      row.number = record_line_;
    } while (fields_.size() == 1 && fields_.front().empty() && broken_.empty());  // an empty line
    if (broken_.empty() && fields_.size() != columns_.size()) {
      broken_ = "has " + std::to_string(fields_.size()) + " fields, the header " + std::to_string(columns_.size());
    }
    if (!broken_.empty()) {
      row.broken = broken_;
      fields_ = {};
      return true;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      auto& values = row.cells[columns_[i]];
      if (!fields_[i].empty()) values.push_back(std::move(fields_[i]));
    }
    return true;
  }

 private:
  static constexpr int kEnd = -1;

  void read_header() {
    if (!read_record()) throw Failure(path_ + ": is empty: a CSV file begins with its header");
    if (!broken_.empty()) throw Failure(path_ + ":" + std::to_string(record_line_) + ": " + broken_);
    if (columns_.empty()) columns_.resize(fields_.size());
    if (columns_.size() != fields_.size()) throw Failure(path_ + ":1: the rows of the header differ in length");
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].empty() && !fields_[i].empty()) columns_[i] += '.';
      columns_[i] += fields_[i];
    }
  }

  int peek() {
    if (begin_ == end_) {
      refill();
      if (end_ == 0) return kEnd;
    }
    return static_cast<unsigned char>(buffer_[begin_]);
  }

  void refill() {
    try {
      begin_ = 0;
      end_ = bytes_->read(buffer_);
    } catch (const Failure& failure) {
      throw Failure(std::string(failure.what()) + " (line " + std::to_string(line_) + ")");
    }
    if (at_start_ && std::string_view(buffer_.data(), end_).starts_with("\xEF\xBB\xBF")) begin_ = 3;
    at_start_ = false;
  }

  int read_byte() {
    const int c = peek();
    if (c != kEnd) ++begin_;
    if (c == '\n') ++line_;
    return c;
  }

  void append(char c) {
    if (fits_record()) fields_.back() += c;
  }

  /// Counts a byte of the record, including separators; false if the record is too long.
  bool fits_record() {
    if (++record_bytes_ <= kLineBytesMax) return true;
    broken_ = "is longer than 1 MiB";
    return false;
  }

  /// Reads the rest of a quoted field, including the closing quote.
  void read_quoted() {
    while (true) {
      const int c = read_byte();
      if (c == kEnd) {
        broken_ = "ends inside a quoted field";
        return;
      }
      if (c != '"') {
        append(static_cast<char>(c));
      } else if (peek() == '"') {
        append(static_cast<char>(read_byte()));
      } else {
        return;
      }
    }
  }

  /// Reads a field and returns the byte that ended it: a comma, a line feed or kEnd.
  int read_field() {
    if (fits_record()) fields_.emplace_back();
    const bool quoted = peek() == '"';
    if (quoted) {
      read_byte();
      read_quoted();
    }
    while (true) {
      const int c = read_byte();
      if (c == ',' || c == '\n' || c == kEnd) return c;
      if (c == '\r' && (peek() == '\n' || peek() == kEnd)) continue;
      if (quoted) broken_ = "has text after a quoted field";
      append(static_cast<char>(c));
    }
  }

  bool read_record() {
    if (peek() == kEnd) return false;
    fields_.clear();
    broken_.clear();
    record_bytes_ = 0;
    record_line_ = line_;
    while (read_field() == ',') {
    }
    return true;
  }

  std::string path_;
  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_start_ = true;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 1;
  std::vector<std::string> columns_;
  std::vector<std::string> fields_;
  std::size_t record_bytes_ = 0;
  std::string broken_;
};

}  // namespace

std::unique_ptr<RowReader> open_csv(const RowLayout& layout, const std::string& path) {
  return std::make_unique<CsvReader>(layout, path);
}

}  // namespace tonearm::builder
