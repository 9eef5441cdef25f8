#include "transcript.h"

#include "json/writer.h"

namespace tonearm::cases {
namespace {

void write_headers(json::Writer& out, const Headers& headers) {
  out.key("headers");
  out.begin_array();
  for (const auto& [name, value] : headers) {
    out.begin_array();
    out.string(name);
    out.string(value);
    out.end_array();
  }
  out.end_array();
}

void write_text(json::Writer& out, std::string_view key, std::string_view value) {
  out.key(key);
  out.string(value);
}

}  // namespace

void Transcript::begin(std::string_view file, bool with_catalog, const Setup& setup) {
  json::Writer out;
  out.begin_object();
  write_text(out, "file", file);
  out.key("reset");
  out.begin_object();
  write_text(out, "catalog", with_catalog ? "catalog.sqlite" : "none");
  out.key("start_ms");
  out.integer(setup.start_ms);
  out.key("seed");
  out.integer(static_cast<std::int64_t>(setup.seed));
  write_text(out, "key_secret", setup.key_secret);
  write_text(out, "admin_token", setup.admin_token);
  out.end_object();
  out.end_object();
  out_ << out.text() << '\n';
}

void Transcript::add(const Exchange& exchange, const Request& request, const Response& response) {
  json::Writer out;
  out.begin_object();
  out.key("line");
  out.integer(exchange.line);
  out.key("admin");
  out.boolean(exchange.admin);
  out.key("advance_ms");
  out.integer(exchange.advance_ms);
  out.key("request");
  out.begin_object();
  write_text(out, "method", request.head.method);
  write_text(out, "target", request.head.target);
  write_headers(out, request.head.headers);
  write_text(out, "body", request.body);
  out.end_object();
  out.key("response");
  out.begin_object();
  out.key("status");
  out.integer(response.status);
  write_headers(out, response.headers);
  write_text(out, "body", response.body);
  out.end_object();
  out.end_object();
  out_ << out.text() << '\n';
}

}  // namespace tonearm::cases
