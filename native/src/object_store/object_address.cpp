#include "object_store/object_address.h"

#include <algorithm>

#include "text/percent.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

constexpr std::string_view kS3 = "s3://";
constexpr std::size_t kKeyBytesMax = 1'024;

bool has_dot_segment(std::string_view path) {
  const auto segments = text::path_segments(path);
  return std::ranges::any_of(segments, [](std::string_view it) { return it == "." || it == ".."; });
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

/// The rules of Amazon S3, which compatible stores share.
bool is_bucket(std::string_view name) {
  const auto is_inner = [](char c) { return ascii::is_lower(c) || ascii::is_digit(c) || c == '.' || c == '-'; };
  const auto is_outer = [](char c) { return ascii::is_lower(c) || ascii::is_digit(c); };
  return name.size() >= 3 && name.size() <= 63 && std::ranges::all_of(name, is_inner) && is_outer(name.front()) &&
         is_outer(name.back()) && name.find("..") == std::string_view::npos;
}

bool is_region(std::string_view name) {
  const auto is_allowed = [](char c) { return ascii::is_lower(c) || ascii::is_digit(c) || c == '-'; };
  return !name.empty() && name.size() <= 63 && std::ranges::all_of(name, is_allowed);
}

ObjectAddress s3_address(std::string_view text, const S3Location& location) {
  const auto rest = text.substr(kS3.size());
  const auto slash = std::min(rest.find('/'), rest.size());
  const std::string bucket(rest.substr(0, slash));
  const auto key = rest.substr(std::min(slash + 1, rest.size()));
  if (!is_bucket(bucket)) throw Failure("a bucket has 3 to 63 lower-case letters, digits, dots and hyphens");
  if (key.empty() || key.size() > kKeyBytesMax || std::ranges::any_of(key, is_control) || has_dot_segment(key)) {
    throw Failure("a key has 1 to 1024 bytes, without control characters and the segments . and ..");
  }
  if (!is_region(location.region)) throw Failure("a region has lower-case letters, digits and hyphens");
  ObjectAddress address{std::string(text), {}, '/' + text::encode_percent(key, "/"), true};
  // A certificate for *.s3.REGION.amazonaws.com does not cover a bucket with a dot.
  const bool is_named_by_host = location.endpoint.empty() && bucket.find('.') == std::string::npos;
  if (location.endpoint.empty()) {
    address.server = {true, "s3." + location.region + ".amazonaws.com", "443", {}};
  } else {
    address.server = parse_server_url(location.endpoint);
    if (!address.server.path.empty()) throw Failure("an endpoint has no path");
  }
  if (is_named_by_host) {
    address.server.host.insert(0, bucket + '.');
  } else {
    address.target.insert(0, '/' + bucket);
  }
  return address;
}

ObjectAddress web_address(std::string_view text) {
  const auto parsed = text::parse_web_address(text);
  const bool is_plain = text.find_first_of("@?#\\ \"<>") == std::string_view::npos;
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!parsed || parsed->host.empty() || parsed->path.size() < 2 || !is_plain || !is_ascii ||
      std::ranges::any_of(text, is_control) || text::has_broken_escape(parsed->path) || has_dot_segment(parsed->path)) {
    throw Failure("the URL of a catalog is https://HOST/PATH, without user, query and fragment");
  }
  return {std::string(text), parse_server_url(parsed->origin), std::string(parsed->path), false};
}

}  // namespace

bool is_object_address(std::string_view text) {
  return text.starts_with(kS3) || text.starts_with("https://") || text.starts_with("http://");
}

ObjectAddress parse_object_address(std::string_view text, const S3Location& location) {
  return text.starts_with(kS3) ? s3_address(text, location) : web_address(text);
}

bool is_protected(const ServerUrl& server) {
  const auto& host = server.host;
  return server.tls || host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

}  // namespace tonearm::native
