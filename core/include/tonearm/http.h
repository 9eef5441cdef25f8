#pragma once
// HTTP requests and responses as plain values, which hosts read and write. Does not parse HTTP.

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

/// The head of a request. `target` is the origin form (`/v1/search?q=rain`), not decoded. `headers` has an element for
/// each field line, in the order of arrival, with names in any case. `client` is the client's address, if the host
/// knows it.
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

/// A body that is too large for memory. It is read once, from start to end, by one thread at a time.
class BodySource {
 public:
  virtual ~BodySource() = default;
  /// In bytes.
  virtual std::uint64_t size() const = 0;
  /// Fills the start of `out` with the next bytes and returns their number, 0 only at the end. Throws
  /// std::runtime_error.
  virtual std::size_t read(std::span<char> out) = 0;
};

/// A response. For HEAD the host omits the body and keeps its Content-Length. `headers` never contains Content-Length,
/// Date, Connection or transfer fields: the host adds those.
struct Response {
  int status = 200;
  Headers headers;
  std::string body;
  std::shared_ptr<BodySource> source = nullptr;  // if not null, the source of the body, and `body` is empty
  /// If not null, the body, which other responses share, and `body` is empty. Only for hosts that request it
  /// (`ServiceOptions::shares_bodies`).
  std::shared_ptr<const std::string> shared_body = nullptr;

  /// The body of a response without a source.
  std::string_view text() const { return shared_body == nullptr ? std::string_view(body) : *shared_body; }
};

/// Returns whether a field has this name, ignoring case.
bool is_named(const Header& header, std::string_view name);

/// Returns the value of the first field with this name, ignoring case, or nullptr. It points into `headers`, and is
/// valid until these change.
const std::string* find_header(const Headers& headers, std::string_view name);

}  // namespace tonearm
