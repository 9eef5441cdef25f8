#pragma once
// The result type of the core, and the list of all error codes of the API.

#include <array>
#include <boost/system/result.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tonearm {

/// A failure outside the program: disk, network, database, a damaged file. The message names what failed. A request
/// that causes one is answered with 503 `unavailable`; errors of the caller are `Error` instead.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The codes of ERROR-2. The wire name of a code is its identifier; its status is in `kErrorTable`.
enum class ErrorCode : std::uint8_t {
  invalid_parameter,
  invalid_filter_for_kind,
  invalid_request,
  missing_api_key,
  invalid_api_key,
  pro_required,
  forbidden,
  read_only,
  not_found,
  method_not_allowed,
  stale_revision,
  collection_full,
  collection_limit,
  not_signed,
  too_large,
  nc_commercial,
  rate_limited,
  internal_error,
  unavailable,
};

/// The texts have static lifetime.
struct ErrorRow {
  ErrorCode code;
  int status;
  std::string_view name;
  std::string_view condition;
};

/// One row for each code, in the order of the enumeration. Thread-safe: constant.
inline constexpr std::array<ErrorRow, 19> kErrorTable{{
    {ErrorCode::invalid_parameter, 400, "invalid_parameter", "A parameter is invalid or not recognized."},
    {ErrorCode::invalid_filter_for_kind, 400, "invalid_filter_for_kind",
     "A filter does not apply to the requested kind."},
    {ErrorCode::invalid_request, 400, "invalid_request", "The request or its body is invalid."},
    {ErrorCode::missing_api_key, 401, "missing_api_key", "There is no Authorization header."},
    {ErrorCode::invalid_api_key, 401, "invalid_api_key", "The key is invalid or revoked."},
    {ErrorCode::pro_required, 402, "pro_required", "The collection action needs the Pro plan."},
    {ErrorCode::forbidden, 403, "forbidden", "The origin of the request is not allowed."},
    {ErrorCode::read_only, 403, "read_only", "The collection is read-only because the Pro plan ended."},
    {ErrorCode::not_found, 404, "not_found", "The resource or the route does not exist."},
    {ErrorCode::method_not_allowed, 405, "method_not_allowed", "The route does not support the method."},
    {ErrorCode::stale_revision, 409, "stale_revision", "The collection changed since the supplied revision."},
    {ErrorCode::collection_full, 409, "collection_full", "The collection would hold too many tracks."},
    {ErrorCode::collection_limit, 409, "collection_limit", "The account may not create a further collection now."},
    {ErrorCode::not_signed, 409, "not_signed", "The catalog is not signed, so no receipt can prove what it states."},
    {ErrorCode::too_large, 413, "too_large", "The JSON body exceeds 64 KB."},
    {ErrorCode::nc_commercial, 422, "nc_commercial", "A non-commercial track and commercial use exclude each other."},
    {ErrorCode::rate_limited, 429, "rate_limited", "The account is over the limit of its plan."},
    {ErrorCode::internal_error, 500, "internal_error", "A fault of the server; retry later."},
    {ErrorCode::unavailable, 503, "unavailable", "The service cannot answer now; retry later."},
}};

constexpr const ErrorRow& error_row(ErrorCode code) { return kErrorTable[static_cast<std::size_t>(code)]; }

/// An error for the user. The message names the wrong parameter or field and what it accepts, and contains no internals
/// of the server (ERROR-3).
struct Error {
  ErrorCode code = ErrorCode::internal_error;
  std::string message;
  std::int64_t retry_after_s = 0;  // for `Retry-After`: when to repeat the request; 0: repeating it does not help
  std::string parameter{};         // the parameter or field at fault (ERROR-7); empty: none

  friend bool operator==(const Error&, const Error&) = default;
};

/// Required by Boost.System. Reading the value of a failed result is a programming error.
[[noreturn]] inline void throw_exception_from_error(const Error& error, const boost::source_location& /*where*/) {
  throw std::logic_error("value of a failed result: " + error.message);
}

/// A value, or the `Error` to answer with. `if (!r) return r.error();`
template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace tonearm
