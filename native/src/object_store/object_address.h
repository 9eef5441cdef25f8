#pragma once
// The address of a catalog in object storage: a URL of a web server, or of an object in an S3 bucket. Pure,
// thread-safe.

#include <string>
#include <string_view>

#include "client/http_client.h"

namespace tonearm::native {

/// Where s3:// addresses lead.
struct S3Location {
  std::string endpoint;  // "https://minio.example:9000"; empty: Amazon's endpoint of the region
  std::string region;    // "eu-central-1"
};

struct ObjectAddress {
  std::string text;    // as given, for messages; contains no secret
  ServerUrl server{};  // without a path
  std::string target;  // the path of a request, percent-encoded
  bool is_s3 = false;  // requests may be signed
};

/// Returns whether the text begins with `https://`, `http://` or `s3://`: no path of a file does.
bool is_object_address(std::string_view text);

/// Parses https://HOST/PATH, http://HOST/PATH or s3://BUCKET/KEY (HOST-49). A URL has neither user nor query nor
/// fragment, because messages contain it. Throws std::runtime_error that names what is wrong, without the text.
ObjectAddress parse_object_address(std::string_view text, const S3Location& location);

/// Returns whether no one on the network can alter what is read: the server uses TLS, or is on this machine.
bool is_protected(const ServerUrl& server);

}  // namespace tonearm::native
