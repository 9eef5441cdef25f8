// attributions.yml: a list of {files, license, copyright, source}.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <boost/regex.hpp>
#include <set>
#include <sstream>

#include "folder/documents.h"
#include "folder/walk.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kDepthMax = 8;

/// Handles the events of the parser, so that aliases are rejected instead of expanded.
class EntryHandler final : public YAML::EventHandler {
 public:
  EntryHandler(LicenseDocument& document, std::string name) : document_(document), name_(std::move(name)) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { scalar(mark, {}); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { fail(mark, "an alias is not allowed"); }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    scalar(mark, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open_level(mark);
    if (depth_ == 3 && key_.empty()) fail(mark, "expected a key, found a list");
  }
  void OnSequenceEnd() override { close_level(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open_level(mark);
    if (depth_ == 1) fail(mark, "the document must be a list of entries");
    if (depth_ == 2) begin_entry(mark);
  }
  void OnMapEnd() override {
    if (depth_ == 2) end_entry();
    close_level();
  }

 private:
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    throw Failure(name_ + ":" + std::to_string(mark.line + 1) + ": " + what);
  }
  void open_level(const YAML::Mark& mark) {
    if (++depth_ > kDepthMax) fail(mark, "is nested too deeply");
  }
  void close_level() {
    --depth_;
    if (depth_ == 2) key_.clear();
  }
  void begin_entry(const YAML::Mark& mark) {
    rule_ = {};
    rule_.statement.document = name_;
    rule_.statement.line = static_cast<std::uint64_t>(mark.line) + 1;
    files_.clear();
    keys_.clear();
    key_.clear();
  }

  void scalar(const YAML::Mark& mark, const std::string& value) {
    if (depth_ < 2) fail(mark, "the document must be a list of entries");
    if (!text::is_utf8(value) || value.find('\0') != std::string::npos) fail(mark, "a value is not text");
    if (depth_ == 2 && key_.empty()) {
      key_ = ascii::to_lower(value);
      if (key_.empty()) fail(mark, "a key is empty");
      if (!keys_.insert(key_).second) fail(mark, "the key " + text::quotable(key_) + " occurs twice in one entry");
      return;
    }
    if (depth_ <= 3 && !value.empty()) set_value(value);
    if (depth_ == 2) key_.clear();
  }

  void set_value(const std::string& value) {
    if (key_ == "files" || key_ == "file") {
      files_.push_back(value);
    } else if (key_ == "license" || key_ == "licence") {
      rule_.statement.licenses.push_back(value);
    } else if (key_ == "source") {
      rule_.statement.fields.emplace("source_page", value);
    } else if (key_ == "copyright") {
      static const boost::regex kBy(R"(\bby\s+([^,.;(]+?)(?:\s+(?:on|from|at|for|and)\b|[,.;(]|$))",
                                    boost::regex::perl | boost::regex::icase);
      boost::smatch match;
      if (boost::regex_search(value, match, kBy)) rule_.statement.fields.emplace("artist", match[1].str());
    }
  }

  void end_entry() {
    document_.rules.push_back(rule_);
    for (const auto& file : files_) {
      const auto path = path_within(document_.folder, file);
      path ? document_.by_path[*path].push_back(document_.rules.size() - 1) : document_.rejected.push_back(file);
    }
  }

  LicenseDocument& document_;
  std::string name_;
  std::size_t depth_ = 0;
  std::string key_;
  std::set<std::string> keys_;
  DocumentRule rule_;
  std::vector<std::string> files_;
};

}  // namespace

LicenseDocument read_attributions(const std::string& text, const std::string& name) {
  LicenseDocument document;
  document.form = DocumentForm::attributions;
  document.folder = folder_of(name);
  EntryHandler handler(document, name);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(handler)) {
    }
  } catch (const YAML::Exception& error) {
    throw Failure(name + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
  return document;
}

}  // namespace tonearm::builder
