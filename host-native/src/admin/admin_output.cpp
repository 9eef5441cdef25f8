#include "admin/admin_output.h"

#include <algorithm>
#include <boost/json.hpp>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tonearm/terminal.h"

namespace tonearm::native {
namespace {

namespace json = boost::json;

constexpr const char* kUnknownResponse = "the server's response has an unknown format; try --json";

std::string_view rows_name(Shape shape) {
  switch (shape) {
    case Shape::accounts:
      return "accounts";
    case Shape::keys:
      return "keys";
    case Shape::calls:
      return "calls";
    case Shape::days:
      return "days";
    case Shape::limits:
      return "limits";
    case Shape::take_downs:
      return "takedowns";
    case Shape::fields:
      break;
  }
  return {};
}

/// Escapes control characters, because search texts are shown too.
std::string text_of(const json::value& value) {
  if (value.is_null()) return "-";
  if (!value.is_string()) return json::serialize(value);
  return terminal::line({value.get_string().data(), value.get_string().size()});
}

/// Formats one line for each field: "plan  free".
std::string fields_text(const json::object& object) {
  std::size_t width = 0;
  for (const auto& field : object) width = std::max(width, field.key().size());
  std::string out;
  for (const auto& field : object) {
    out.append(field.key().data(), field.key().size());
    out.append(width - field.key().size() + 2, ' ');
    out += text_of(field.value()) + '\n';
  }
  return out;
}

/// Formats a table with the field names in the first line.
std::string rows_text(const json::array& rows) {
  if (rows.empty()) return "none\n";
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& field : rows.front().as_object()) lines[0].emplace_back(field.key().data(), field.key().size());
  for (const auto& row : rows) {
    auto& line = lines.emplace_back();
    for (const auto& name : lines[0]) {
      const auto* value = row.as_object().if_contains(name);
      line.push_back(value == nullptr ? "-" : text_of(*value));
    }
  }
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string out;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      out += line[i];
      if (i + 1 < line.size()) out.append(widths[i] - line[i].size() + 2, ' ');
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string next_cursor(const std::string& body) {
  json::error_code error;
  const auto parsed = json::parse(body, error);
  if (error || !parsed.is_object()) return {};
  const auto* cursor = parsed.get_object().if_contains("cursor");
  if (cursor == nullptr || !cursor->is_string()) return {};
  return std::string(cursor->get_string().data(), cursor->get_string().size());
}

bool is_done(const std::string& body) {
  json::error_code error;
  const auto parsed = json::parse(body, error);
  if (error || !parsed.is_object()) return true;
  const auto* done = parsed.get_object().if_contains("done");
  return done == nullptr || *done != false;
}

std::string join_pages(const std::vector<std::string>& bodies, Shape shape) {
  const auto name = rows_name(shape);
  try {
    json::array rows;
    json::object page;
    for (const auto& body : bodies) {
      page = json::parse(body).as_object();
      auto& some = page.at(json::string_view(name.data(), name.size())).as_array();
      rows.insert(rows.end(), some.begin(), some.end());
    }
    page[json::string_view(name.data(), name.size())] = std::move(rows);
    return json::serialize(page);
  } catch (const std::exception&) {
    throw std::runtime_error(kUnknownResponse);
  }
}

std::string readable(const std::string& body, Shape shape) {
  try {
    const auto parsed = json::parse(body);
    const auto name = rows_name(shape);
    if (name.empty()) return fields_text(parsed.as_object());
    return rows_text(parsed.as_object().at(json::string_view(name.data(), name.size())).as_array());
  } catch (const std::exception&) {
    throw std::runtime_error(kUnknownResponse);
  }
}

std::string backup_summary(const std::string& path, std::uint64_t bytes) {
  return json::serialize(json::object{{"file", path}, {"bytes", bytes}});
}

std::string error_message(const ClientResponse& response) {
  json::error_code error;
  const auto parsed = json::parse(response.body, error);
  if (!error && parsed.is_object()) {
    if (const auto* message = parsed.get_object().if_contains("message")) return text_of(*message);
  }
  return "the server answered with status " + std::to_string(response.status);
}

}  // namespace tonearm::native
