#pragma once
// Case files as values (tests/cases/README.md): the requests, step by step, and their expected answers.

#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tonearm::cases {

/// A case file that breaks the format. The message names file and line.
class CaseFileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Expectation {
  std::optional<int> status;
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;  // no value: must be absent
  std::optional<boost::json::value> body;
};

struct Step {
  int line = 0;
  bool admin = false;
  std::string plan;  // of `as`; empty: no account
  std::string name;
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<boost::json::value> body;
  std::int64_t advance_s = 0;
  Expectation expect;
  std::vector<std::pair<std::string, std::string>> capture;  // name, JSON pointer
  boost::json::object source;                                // the line itself
};

struct CaseFile {
  std::string name;  // without its folder
  bool with_catalog = true;
  bool captures_are_optional = false;  // a capture that finds nothing keeps the old value
  std::vector<Step> steps;
};

/// Throws CaseFileError.
CaseFile read_case_file(const std::string& path);

/// Captured values by name.
using Captures = std::map<std::string, std::string, std::less<>>;
/// Replaces every captured `{name}`; others are kept.
std::string fill_in(std::string_view text, const Captures& captures);
/// Replaces captured names in every string of the value, except in keys.
boost::json::value fill_in(const boost::json::value& value, const Captures& captures);

}  // namespace tonearm::cases
