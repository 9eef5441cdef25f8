#pragma once
// HTTP as the core sees it: plain values that a host fills and writes. Nothing here parses HTTP.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tonearm {

struct Header {
  std::string name;
  std::string value;

  friend bool operator==(const Header&, const Header&) = default;
};

using Headers = std::vector<Header>;

/// The head of a request. `target` is the origin form (`/v1/search?q=rain`), not decoded.
/// `headers` hold each field line by itself, in the order of arrival; names in any case. `client` is the address of who
/// asks, as far as the host knows it.
struct RequestHead {
  std::string method;
  std::string target;
  Headers headers;
  std::string client{};
};

struct Request {
  RequestHead head;
  std::string body;
};

/// A body that is too large to be held whole: read once, from front to back, by one thread at a time.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// In bytes.
  virtual std::uint64_t size() const = 0;
  /// Fills the front of `out` with the next bytes and says how many; 0 only after the last. Throws std::runtime_error.
  virtual std::size_t read(std::span<char> out) = 0;
};

/// A whole answer. For HEAD the host drops the body and keeps its Content-Length. `headers` never
/// holds Content-Length, Date, Connection or what belongs to a transfer: those are the host's.
struct Response {
  int status = 200;
  Headers headers;
  std::string body;
  std::shared_ptr<BodySource> source = nullptr;  // of the body, where not null; `body` is empty then
  /// The body, where not null, which other answers have too; `body` is empty then. Only for a host that asked for it
  /// (`ServiceOptions::shares_bodies`).
  std::shared_ptr<const std::string> shared_body = nullptr;

  /// The body, where it has no source.
  std::string_view text() const { return shared_body == nullptr ? std::string_view(body) : *shared_body; }
};

/// Whether a field has that name (case-insensitive).
bool is_named(const Header& header, std::string_view name);

/// The value of the first field of that name (case-insensitive), or nullptr. It lies in `headers`, and is valid as long
/// as these are unchanged.
const std::string* find_header(const Headers& headers, std::string_view name);

}  // namespace tonearm
