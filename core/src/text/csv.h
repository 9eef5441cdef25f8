#pragma once
// Rows of CSV that spreadsheets read as data (CREDIT-9, CREDIT-13). Pure, thread-safe.

#include <span>
#include <string>

namespace tonearm::text {

/// Appends the cells and a line end. Cells lose control characters and bidi overrides; one that a spreadsheet would
/// read as a formula is prefixed with `'`. REQUIRES: each cell is UTF-8.
void append_csv_row(std::string& csv, std::span<const std::string> cells);

}  // namespace tonearm::text
