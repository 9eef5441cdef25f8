#include "messages/atom_feed.h"

#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/dates.h"

namespace tonearm::web {
namespace {

/// Escapes a text, on one line. Omits what XML 1.0 does not allow.
std::string escaped(std::string_view untrusted) {
  constexpr char32_t kFirstNoncharacter = 0xfffe;
  constexpr char32_t kLastNoncharacter = 0xffff;
  const auto line = text::one_line(text::valid_utf8(untrusted));
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const auto c = text::next_code_point(line, at);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (!text::is_control(c) && (c < kFirstNoncharacter || c > kLastNoncharacter)) text::append_utf8(out, c);
    }
  }
  return out;
}

void append_element(std::string& out, std::string_view name, std::string_view text) {
  out.append("<").append(name).append(">").append(escaped(text)).append("</").append(name).append(">\n");
}

void append_link(std::string& out, std::string_view relation, std::string_view address) {
  out.append("<link rel=\"").append(relation).append("\" href=\"").append(escaped(address)).append("\"/>\n");
}

}  // namespace

std::string uuid_urn(std::string_view hash) {
  std::string bytes(hash.substr(0, 16));
  constexpr unsigned kVersionByte = 6;
  constexpr unsigned kVariantByte = 8;
  const auto masked = [&](unsigned at, unsigned keep, unsigned set) {
    return static_cast<char>((static_cast<unsigned char>(bytes[at]) & keep) | set);
  };
  bytes[kVersionByte] = masked(kVersionByte, 0x0f, 0x80);
  bytes[kVariantByte] = masked(kVariantByte, 0x3f, 0x80);
  auto digits = ascii::to_hex(bytes);
  for (const std::size_t at : {20U, 16U, 12U, 8U}) digits.insert(at, 1, '-');
  return "urn:uuid:" + digits;
}

std::string atom_document(const AtomFeed& feed) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n";
  append_element(out, "id", feed.id);
  append_element(out, "title", feed.title);
  append_element(out, "updated", rfc3339(feed.updated_ms));
  out += "<author>";
  append_element(out, "name", feed.author);
  out += "</author>\n";
  append_link(out, "self", feed.self);
  for (const auto& entry : feed.entries) {
    out += "<entry>\n";
    append_element(out, "id", entry.id);
    append_element(out, "title", entry.title);
    append_element(out, "updated", rfc3339(entry.updated_ms));
    append_link(out, "alternate", entry.link);
    append_element(out, "content", entry.content);
    out += "</entry>\n";
  }
  return out + "</feed>\n";
}

}  // namespace tonearm::web
