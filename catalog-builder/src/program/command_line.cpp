#include "program/command_line.h"

#include <array>

#include "object_store/store_options.h"
#include "values/dates.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

using settings::Layers;
using settings::Option;
using settings::Presence;
using settings::Type;
using settings::Values;

constexpr std::array<std::string_view, 2> kProfiles{"standard", "evaluation"};

constexpr Option kSiteUrl{.name = "site-url",
                          .value = "URL",
                          .help = "Address of the site, for page_url",
                          .standard = "http://127.0.0.1:8080"};
constexpr Option kJson{
    .name = "json", .type = Type::on_off, .help = "Print one JSON object", .layers = Layers::flag_alone};

constexpr std::array kBuild{
    Option{.name = "input",
           .type = Type::list,
           .value = "FILE",
           .help = "Canonical lines (JSON Lines, also .gz or .zst); may be repeated"},
    Option{.name = "source",
           .type = Type::list,
           .value = "NAME:PATH",
           .help = "A known source, or the .toml file of its mapping, and its folder; or folder:DIR, a folder of "
                   "audio; may be repeated"},
    Option{.name = "folder",
           .type = Type::list,
           .value = "DIR",
           .help = "A folder of audio, as --source folder:DIR; may be repeated"},
    Option{.name = "output", .value = "FILE", .help = "The snapshot to write", .presence = Presence::required},
    Option{.name = "report",
           .value = "FILE",
           .help = "Write a JSON report of kept, rejected and repaired lines to this file"},
    Option{.name = "strict", .type = Type::on_off, .help = "Fail without a snapshot if a line breaks a rule"},
    Option{.name = "profile",
           .value = "NAME",
           .help = "evaluation also keeps rows without title, duration or license",
           .standard = "standard",
           .choices = kProfiles},
    Option{.name = "allow-share-alike", .type = Type::on_off, .help = "Keep tracks under ShareAlike licenses"},
    Option{.name = "policy", .value = "FILE", .help = "A TOML file of tracks to reject or take down"},
    Option{.name = "take-downs",
           .value = "FILE",
           .help = "Also take down the tracks that `tonearm-admin takedown list --json` lists in this file"},
    Option{.name = "synonyms",
           .value = "FILE",
           .help = "Synonyms, narrower and related phrases for search, instead of the built-in ones"},
    kSiteUrl,
    Option{.name = "media-url", .value = "URL", .help = "Prefix of relative media paths (default: /media of the site)"},
    Option{.name = "media-output",
           .value = "DIR",
           .help = "Write previews and waveforms of folders of audio into this folder"},
    Option{.name = "measurements",
           .value = "FILE",
           .help = "The cache of audio measurements (default: the output's name and .measurements)"},
    Option{.name = "links", .value = "FILE", .help = "Results of check-links to apply to the tracks"},
    Option{.name = "earlier",
           .value = "FILE",
           .help = "A snapshot of an earlier build, to find similar tracks faster (default: the one at the output)"},
    Option{.name = "changes-since",
           .value = "FILE",
           .help = "The snapshot that was published before: also state what changed since then (GET /v1/changes)"},
    Option{.name = "signing-key",
           .value = "FILE",
           .help = "Sign the snapshot with this Ed25519 key (PEM, openssl genpkey -algorithm ed25519)"},
    Option{
        .name = "signed-on", .value = "DATE", .help = "The day of the signature, as 2026-01-15 (default: today, UTC)"},
};
constexpr std::array kDemo{
    Option{.name = "output", .value = "DIR", .help = "The folder to write", .presence = Presence::required},
    kSiteUrl,
    Option{.name = "media-url", .value = "URL", .help = "Where DIR/media is served (default: /media of the site)"},
};
constexpr std::array kInspect{kJson};
constexpr std::array kVerify{Option{.name = "key",
                                    .value = "FILE",
                                    .help = "Ed25519 public keys (PEM): one of them must have signed the snapshot",
                                    .layers = Layers::flag_alone}};
constexpr std::array kDiff{
    kJson,
    Option{.name = "fail-on",
           .type = Type::list,
           .value = "CONDITION",
           .help = "Exit with status 3 on license-change, source-below=PERCENT or removed-above=N; may be repeated"},
    Option{.name = "approve", .value = "FILE", .help = "Approved license changes: a line ID BEFORE AFTER for each"},
};
constexpr std::array kTwoSnapshots{Option{.name = "OLD", .help = "The current snapshot"},
                                   Option{.name = "NEW", .help = "The snapshot to publish"}};
constexpr std::array kCheckLinks{
    Option{.name = "results",
           .value = "FILE",
           .help = "File of results, from which an interrupted check resumes (default: FILE.links.jsonl)"},
    Option{.name = "limit",
           .type = Type::number,
           .value = "N",
           .help = "Check at most so many URLs",
           .standard = "10000",
           .bounds = {1, 1'000'000}},
    Option{.name = "max-age",
           .type = Type::number,
           .value = "DAYS",
           .help = "Check URLs again after so long",
           .standard = "30",
           .bounds = {0, 3'650}},
    Option{.name = "pause",
           .type = Type::number,
           .value = "MS",
           .help = "Pause between two requests to one host",
           .standard = "1000",
           .bounds = {0, 600'000}},
    Option{.name = "contact", .value = "TEXT", .help = "A contact address in the User-Agent"},
    Option{.name = "allow-address",
           .type = Type::list,
           .value = "CIDR",
           .help = "Also connect to these addresses, although they are not public; may be repeated"},
};
constexpr std::array kLogged{Option{.name = "SNAPSHOT", .help = "The signed snapshot that is released"},
                             Option{.name = "LOG", .help = "The log to append to; it is created if it is missing"}};
constexpr std::array kSnapshot{Option{.name = "FILE", .help = "The snapshot"}};

constexpr std::array kFetch{
    Option{.name = "key",
           .value = "FILE",
           .help = "Ed25519 public keys (PEM): one of them must have signed the snapshot",
           .layers = Layers::flag_alone},
    Option{.name = "base",
           .type = Type::list,
           .value = "FILE",
           .help = "Another snapshot whose parts need not be read again, if it exists; may be repeated",
           .layers = Layers::flag_alone},
    Option{.name = "size-max",
           .type = Type::number,
           .value = "MIB",
           .help = "Largest size of a snapshot",
           .standard = "8192",
           .bounds = {1, 16'777'216},
           .layers = Layers::flag_alone},
    native::kStorageEndpointOption,
    native::kStorageRegionOption,
    native::kStorageCredentialsOption,
    native::kStorageCaOption,
};
constexpr std::array kFetched{
    Option{.name = "URL", .help = "https://HOST/PATH or s3://BUCKET/KEY", .secrecy = settings::Secrecy::secret},
    Option{.name = "FILE", .help = "The snapshot to replace; parts that it already has are not read"}};

constexpr std::array<settings::Command, 8> kCommands{{
    {"build", "Build a snapshot from canonical lines and known sources", kBuild, {}},
    {"demo", "Build a catalog of composed music and free sounds", kDemo, {}},
    {"inspect", "Describe the content of a snapshot", kInspect, kSnapshot},
    {"verify", "Check a snapshot from end to end", kVerify, kSnapshot},
    {"diff", "Compare two snapshots, licenses first", kDiff, kTwoSnapshots},
    {"check-links", "Check the URLs of a snapshot on the web", kCheckLinks, kSnapshot},
    {"log", "Append a signed snapshot to the log of releases", {}, kLogged},
    {"fetch", "Download a snapshot from object storage, only what has changed", kFetch, kFetched},
}};

constexpr settings::Program kProgram{.name = "tonearm-catalog",
                                     .version = TONEARM_VERSION,
                                     .help = "Builds and inspects catalog snapshots for Tonearm",
                                     .commands = kCommands};

/// Returns the inputs in the order of the command line.
std::vector<InputChoice> inputs_of(const Values& values) {
  std::vector<InputChoice> inputs;
  for (const auto& [option, text] : values.items()) {
    if (option == "input" || option == "folder") {
      inputs.push_back({option == "folder" ? std::string(kFolderSource) : std::string(), text});
      continue;
    }
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
      values.refuse("source", "NAME:PATH, not " + text);
    }
    inputs.push_back({text.substr(0, colon), text.substr(colon + 1)});
  }
  if (inputs.empty()) throw settings::UsageError("build needs at least one --input, --source or --folder");
  return inputs;
}

void read_urls(const Values& values, BuildOptions& build) {
  build.site_url = values.text("site-url");
  build.media_url = values.text("media-url");
  for (const auto* name : {"site-url", "media-url"}) {
    if (values.is_given(name) && !values.text(name).empty() && !is_http_url(values.text(name))) {
      values.refuse(name, "an http(s) URL");
    }
  }
}

std::string read_signed_on(const Values& values) {
  auto date = values.text("signed-on");
  if (values.is_given("signed-on") && iso_date(date) != date) values.refuse("signed-on", "a day, such as 2026-01-15");
  return date;
}

BuildOptions build_of(const Values& values) {
  BuildOptions build;
  build.inputs = inputs_of(values);
  build.output = values.text("output");
  build.report = values.text("report");
  build.strict = values.is_on("strict");
  build.evaluation = values.text("profile") == "evaluation";
  build.allow_share_alike = values.is_on("allow-share-alike");
  build.policy = values.text("policy");
  build.take_downs = values.text("take-downs");
  if (auto synonyms = values.text("synonyms"); !synonyms.empty()) build.synonyms = std::move(synonyms);
  build.links = values.text("links");
  build.earlier = values.text("earlier");
  build.changes_since = values.text("changes-since");
  build.media_output = values.text("media-output");
  build.measurements = values.text("measurements");
  build.signing_key = values.text("signing-key");
  build.signed_on = read_signed_on(values);
  read_urls(values, build);
  return build;
}

CheckLinksOptions check_links_of(const Values& values) {
  CheckLinksOptions check;
  check.snapshot = values.text("FILE");
  check.results = values.text("results").empty() ? check.snapshot + ".links.jsonl" : values.text("results");
  check.contact = values.text("contact");
  if (check.contact.find_first_of("\r\n()") != std::string::npos) values.refuse("contact", "one line without brackets");
  check.limit = *values.number("limit");
  check.max_age_days = *values.number("max-age");
  check.pause_ms = *values.number("pause");
  for (const auto& [option, text] : values.items()) {
    if (option != "allow-address") continue;
    const auto block = public_web::read_address_block(text);
    if (!block) values.refuse("allow-address", "a block of addresses (192.168.0.0/16), not " + text);
    check.allowed_addresses.push_back(*block);
  }
  return check;
}

FetchOptions fetch_of(const Values& values, const settings::Environment& environment) {
  FetchOptions fetch;
  fetch.access = native::object_access_of(values, "URL", "key", environment);
  fetch.output = values.text("FILE");
  fetch.key = values.text("key");
  fetch.bytes_max = *values.number("size-max") << 20U;
  for (const auto& [option, text] : values.items()) fetch.bases.push_back(text);
  return fetch;
}

Request request_of(const Values& values, const settings::Environment& environment) {
  Request request;
  if (values.command() == "build") {
    request.build = build_of(values);
    return request;
  }
  if (values.command() == "demo") {
    request.command = Command::demo;
    request.folder = values.text("output");
    read_urls(values, request.build);
    return request;
  }
  if (values.command() == "check-links") {
    request.command = Command::check_links;
    request.check_links = check_links_of(values);
    return request;
  }
  if (values.command() == "diff") {
    request.command = Command::diff;
    request.old = values.text("OLD");
    request.snapshot = values.text("NEW");
    request.json = values.is_on("json");
    request.approvals = values.text("approve");
    for (const auto& [option, text] : values.items()) {
      if (!request.conditions.add(text)) {
        values.refuse(option, "license-change, source-below=PERCENT or removed-above=N, not " + text);
      }
    }
    return request;
  }
  if (values.command() == "fetch") {
    request.command = Command::fetch;
    request.fetch = fetch_of(values, environment);
    return request;
  }
  if (values.command() == "log") {
    request.command = Command::log;
    request.snapshot = values.text("SNAPSHOT");
    request.log = values.text("LOG");
    return request;
  }
  request.snapshot = values.text("FILE");
  if (values.command() == "inspect") {
    request.command = Command::inspect;
    request.json = values.is_on("json");
  } else {
    request.command = Command::verify;
    request.key = values.text("key");
  }
  return request;
}

}  // namespace

std::variant<Request, settings::ExitStatus> parse_command_line(std::span<const char* const> words,
                                                               const settings::Environment& environment) {
  return settings::read_settings<Request>(kProgram, words, environment,
                                          [&](const Values& values) { return request_of(values, environment); });
}

}  // namespace tonearm::builder
