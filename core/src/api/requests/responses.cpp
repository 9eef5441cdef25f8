// Responses and errors that several modules send.

#include "api/requests/call.h"
#include "table/answers.h"
#include "table/state_lines.h"
#include "text/unicode.h"

namespace tonearm {

Response error_response(const Error& error) {
  Response response = api::json_response(error_row(error.code).status, table::kErrorType, table::ErrorView{error});
  if (response.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  if (error.retry_after_s > 0) response.headers.push_back({"Retry-After", std::to_string(error.retry_after_s)});
  return response;
}

namespace api {

Error catalog_unavailable() { return {ErrorCode::unavailable, "The catalog is not available now; retry later."}; }

Response method_not_allowed(std::string_view method, const std::string& allowed) {
  Response response =
      error_response({ErrorCode::method_not_allowed,
                      text::quotable(method) + " is not supported here; supported are " + allowed + '.'});
  response.headers.push_back({"Allow", allowed});
  return response;
}

Response json_response(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

Response json_lines_response(std::string lines, std::string_view file_name) {
  Response response = json_response(200, std::move(lines));
  response.headers[0].value = std::string(table::kJsonLines) + "; charset=utf-8";
  response.headers.push_back({"Content-Disposition", "attachment; filename=\"" + std::string(file_name) + '"'});
  return response;
}

}  // namespace api

}  // namespace tonearm
