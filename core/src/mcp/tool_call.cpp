#include "mcp/tool_call.h"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "mcp/identifiers.h"
#include "mcp/message.h"
#include "mcp/tool_words.h"
#include "table/answers.h"
#include "text/percent.h"
#include "text/unicode.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

constexpr string_view kDetail = "detail";
constexpr string_view kLimit = "limit";
constexpr std::array<string_view, 3> kNamesOfValues{"id", "label", "name"};

/// Formats a value for a query string: lists are joined by commas.
std::string query_text(const js::value& value) {
  if (const auto* text = value.if_string()) return std::string(*text);
  if (const auto* list = value.if_array()) {
    std::string joined;
    for (const js::value& item : *list) joined += (joined.empty() ? "" : ",") + query_text(item);
    return joined;
  }
  if (value.is_double()) {
    json::Writer out;
    write_clean(out, value, nullptr, Detail::full);
    return out.take();
  }
  return js::serialize(value);
}

Result<Detail> detail_of(const js::object& arguments) {
  const auto* given = arguments.if_contains(kDetail);
  if (given == nullptr || given->is_null() || *given == "compact") return Detail::compact;
  if (*given == "full") return Detail::full;
  return Error{ErrorCode::invalid_parameter,
               "detail must be one of compact, full; got \"" + text::quotable(query_text(*given)) + "\".", 0,
               std::string(kDetail)};
}

/// Fills in the {names} of the path, and removes them from the arguments.
Result<std::string> fill_path(const Operation& operation, js::object& arguments) {
  string_view pattern = operation.path;
  std::string path;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    path += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (pattern.empty()) break;
    const string_view name = pattern.substr(1, pattern.find('}') - 1);
    const auto* given = arguments.if_contains(name);
    const std::string value = given == nullptr || given->is_null() ? std::string() : query_text(*given);
    if (value.empty()) {
      const std::string argument(argument_name(operation, name));
      return Error{ErrorCode::invalid_parameter, argument + " is missing; it must be an id.", 0, argument};
    }
    path += text::encode_percent(value);
    arguments.stable_erase(name);
    pattern.remove_prefix(name.size() + 2);
  }
  return path;
}

bool is_query(const Operation& operation, string_view name) {
  return operation.query_row(name) != nullptr || operation.body == nullptr;
}

/// Puts the arguments into the query string or the body. Null is omitted from the query string; in a body it clears a
/// field.
void put_arguments(const Operation& operation, const js::object& arguments, Request& request) {
  js::object body;
  char separator = '?';
  for (const js::key_value_pair& argument : arguments) {
    if (!is_query(operation, argument.key())) {
      body[argument.key()] = argument.value();
    } else if (!argument.value().is_null()) {
      request.head.target +=
          separator + text::encode_percent(argument.key()) + '=' + text::encode_percent(query_text(argument.value()));
      separator = '&';
    }
  }
  if (operation.body == nullptr) return;
  request.head.headers.push_back({"Content-Type", "application/json"});
  request.body = js::serialize(body);
}

bool is_json(const Response& answer) {
  const std::string* type = find_header(answer.headers, "Content-Type");
  return type != nullptr && *type == "application/json";
}

ErrorCode code_named(string_view name) {
  for (const ErrorRow& row : kErrorTable) {
    if (row.name == name) return row.code;
  }
  return ErrorCode::internal_error;
}

Error error_in(const Response& answer) {
  const js::value body = js::parse(answer.body);
  Error error{code_named(string_member(body.as_object(), "error")),
              std::string(string_member(body.as_object(), "message")), 0,
              std::string(string_member(body.as_object(), "parameter"))};
  if (const std::string* wait = find_header(answer.headers, "Retry-After")) {
    error.message += " Time helps: in " + *wait + " seconds.";
  }
  return error;
}

/// `note`: a second text; empty: none.
void write_text_content(json::Writer& out, string_view text, string_view note = {}) {
  write_array(out, "content", [&] {
    const auto write = [&out](string_view part) {
      out.begin_object();
      out.string("type", "text");
      out.string("text", part);
      out.end_object();
    };
    write(text);
    if (!note.empty()) write(note);
  });
}

/// Returns how many tracks of one page have `words` of the words of q: "2 with 1 of 3 words".
std::string words_text(std::int64_t tracks, std::int64_t words, std::int64_t words_of_search) {
  const std::string count = std::to_string(tracks);
  if (words == words_of_search) return count + " with all words of q";
  if (words == 0) return count + " only related, with none of the words";
  return count + " with " + std::to_string(words) + " of " + std::to_string(words_of_search) + " words";
}

/// MCP-15: returns a sentence about a page of a search some of whose tracks do not have all words; else nothing.
std::string words_note(const js::object& answer) {
  const auto* matched = answer.if_contains("matched");
  if (matched == nullptr) return {};
  const std::int64_t words = answer.at("words").to_number<std::int64_t>();
  const auto count = static_cast<std::int64_t>(answer.at("tracks").as_array().size());
  const js::value& cursor = answer.at("cursor");  // the page ends there, or at the total
  const auto end_of_page =
      cursor.is_null() ? answer.at("total").to_number<std::int64_t>() : std::stoll(std::string(cursor.as_string()));
  std::int64_t begin = count - end_of_page;  // of the tier, on the page
  std::string note;
  bool have_all = true;
  for (const js::value& tier : matched->as_array()) {
    const std::int64_t end = begin + tier.at("total").to_number<std::int64_t>();
    const std::int64_t shown = std::min(end, count) - std::max(begin, std::int64_t{0});
    begin = end;
    if (shown <= 0) continue;
    const auto words_of_tier = tier.at("words").to_number<std::int64_t>();
    have_all = have_all && words_of_tier == words;
    note += (note.empty() ? "The tracks in order: " : ", ") + words_text(shown, words_of_tier, words);
  }
  return have_all ? std::string() : note + '.';
}

/// Removes the values of all lists whose id, label and name do not contain the text.
void narrow(js::value& value, string_view folded) {
  if (auto* object = value.if_object()) {
    for (auto& member : *object) narrow(member.value(), folded);
  }
  auto* list = value.if_array();
  if (list == nullptr) return;
  const auto has_text = [folded](const js::value& item) {
    const js::object& row = item.as_object();
    return std::any_of(kNamesOfValues.begin(), kNamesOfValues.end(), [&](string_view member) {
      return text::fold_case(string_member(row, member)).find(folded) != std::string::npos;
    });
  };
  list->erase(std::remove_if(list->begin(), list->end(), [&](const js::value& item) { return !has_text(item); }),
              list->end());
}

void write_error(json::Writer& out, const Error& error, string_view next) {
  std::string text(error_row(error.code).name);
  text += ": " + clean_text(error.message);
  if (!error.parameter.empty()) text += "\nParameter: " + clean_text(error.parameter);
  text += "\nNext: " + std::string(next);
  write_text_content(out, text);
  out.boolean("isError", true);
}

}  // namespace

Result<ToolRequest> make_request(const Operation& operation, string_view name, const js::object& given) {
  ToolRequest tool_request;
  tool_request.alias = find_alias(name);
  if (tool_request.alias != nullptr && string_member(given, tool_request.alias->argument).empty()) {
    const std::string argument(tool_request.alias->argument);
    return Error{ErrorCode::invalid_parameter, argument + " is missing; it must be a text.", 0, argument};
  }
  const js::object arguments = tool_request.alias == nullptr ? given : arguments_of_tool(*tool_request.alias, given);
  auto renamed = with_api_names(operation, arguments);
  if (!renamed) return renamed.error();
  js::object remaining = *std::move(renamed);
  if (operation.answer != nullptr) {
    const auto detail = detail_of(arguments);
    if (!detail) return detail.error();
    tool_request.detail = *detail;
    remaining.stable_erase(kDetail);
  }
  auto path = fill_path(operation, remaining);
  if (!path) return path.error();
  tool_request.request.head.method = operation.method;
  tool_request.request.head.target = *std::move(path);
  const auto* limit = operation.query_row(kLimit);
  if (limit != nullptr && is_page_size(*limit) && (!remaining.contains(kLimit) || remaining[kLimit].is_null())) {
    remaining[kLimit] = kPageSize;
  }
  // The API narrows only creators by q (META-3).
  if (operation.answer == &table::kMetaType) tool_request.narrowed_by = string_member(remaining, "q");
  put_arguments(operation, remaining, tool_request.request);
  if (operation.minimal_answer != nullptr && tool_request.detail == Detail::compact) {
    tool_request.request.head.headers.push_back({"Prefer", "return=minimal"});
  }
  // Selected fields are never omitted.
  if (remaining.contains("fields")) tool_request.detail = Detail::full;
  return tool_request;
}

void write_result(json::Writer& out, const Operation& operation, const Response& answer, const ToolRequest& sent) {
  constexpr int kFirstError = 400;
  if (answer.status >= kFirstError) {
    Error error = error_in(answer);
    const bool is_of_alias = sent.alias != nullptr && error.parameter == sent.alias->argument_of_tool;
    error.parameter = is_of_alias ? sent.alias->argument : argument_name(operation, error.parameter);
    const bool needs_confirmation = operation.method == "DELETE" && error.code == ErrorCode::invalid_request;
    return write_error(out, error, needs_confirmation ? kConfirmStep : next_step(error.code));
  }
  json::Writer content;
  if (sent.alias != nullptr) {
    write_clean(content, sent.alias->result(js::parse(answer.body).as_object()), nullptr, Detail::full);
    write_text_content(out, content.text());
  } else if (is_json(answer)) {
    const bool is_minimal = find_header(answer.headers, "Preference-Applied") != nullptr;
    js::value body = js::parse(answer.body);
    if (!sent.narrowed_by.empty()) narrow(body, text::fold_case(sent.narrowed_by));
    write_clean(content, body, is_minimal ? operation.minimal_answer : operation.answer, sent.detail);
    write_text_content(out, content.text(), body.is_object() ? words_note(body.get_object()) : std::string());
  } else {
    const std::string text = clean_text(answer.body);
    content.begin_object();
    content.string("text", text);
    write_array(content, table::kUntrustedFields, [&content] { content.string("text"); });
    content.end_object();
    write_text_content(out, text);
  }
  out.key("structuredContent");
  out.raw(content.text());
  out.boolean("isError", false);
}

}  // namespace tonearm::mcp
