#pragma once
// The files of a collection's credits (WEB-31). Pure, thread-safe. Titles, artists and texts are untrusted.

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/zip_archive.h"

namespace tonearm::web {

/// Whether the notes of a collection's items are among what a reader may see.
enum class Notes : std::uint8_t { included, excluded };

/// Answers of the API about a collection.
struct CreditsDocuments {
  boost::json::object collection;  // GET /v1/collections/{id}
  boost::json::object credits;     // its credits with format=json
  std::string text;
  std::string markdown;
  std::string csv;
  std::string html;
  std::string receipts;  // JSON Lines; empty: no item has one
};

/// Returns the text of a license by its SPDX identifier; empty if there is none.
using LicenseText = std::function<std::string(std::string_view spdx)>;

/// Removes the last column of a CSV document (RFC 4180), which contains the notes (CREDIT-9).
std::string without_last_column(std::string_view csv);

/// Returns a REUSE file with the license of one track. Its texts are on one line and contain no tags of their own.
std::string license_file(std::string_view holder, std::string_view license_id, std::string_view credit_line);

/// Throws std::runtime_error if an answer does not have the API's form.
std::vector<ArchiveEntry> credits_entries(const CreditsDocuments& documents, std::string_view description, Notes notes,
                                          const LicenseText& license_text);

}  // namespace tonearm::web
