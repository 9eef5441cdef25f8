#include "settings/command_line.h"

#include <doctest/doctest.h>

#include <array>

namespace tonearm::settings {
namespace {

constexpr std::array<std::string_view, 2> kSizes{"small", "large"};
constexpr std::array kOpening{
    Option{.name = "key-file", .value = "FILE", .help = "The key's file", .presence = Presence::required},
    Option{.name = "size", .value = "NAME", .help = ".5 of it or more\\less", .standard = "small", .choices = kSizes},
    Option{.name = "labels", .value = "FILE|URL", .help = "Where labels are"},
    Option{.name = "gone", .value = "FILE", .help = "No longer", .refusal = "it is gone"},
};
constexpr std::array kLid{Option{.name = "LID", .help = "Which"}};
constexpr std::array kThings{Option{.name = "THING", .type = Type::list, .help = "What"}};
constexpr std::array<Command, 4> kBoxCommands{{
    {"box open", "Opens a box", kOpening, kLid},
    {"box fill", "Fills a box", {}, kLid, {}, kThings},
    {"box close", "Closes a box", {}, {}},
    {"list", "Lists boxes", {}, {}},
}};
constexpr std::array<Section, 1> kSections{{{"Examples", "  the-boxes list\n  .dots"}}};
constexpr Program kBoxes{.name = "the-boxes",
                         .version = "7",
                         .help = "Keeps boxes",
                         .commands = kBoxCommands,
                         .exit_status = "0: boxed.",
                         .sections = kSections};

std::string printed(const char* flag) {
  const std::array words{flag};
  const auto end = std::get<ExitStatus>(read_values(kBoxes, words, [](const std::string&) { return std::nullopt; }));
  CHECK(end.status == 0);
  return end.out;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the manual page has every supported command and option, and escapes text") {
  const auto page = printed("--man");
  CHECK(page.starts_with(".TH THE-BOXES 1 "));
  CHECK(holds(page, "the\\-boxes \\- Keeps boxes\n"));
  CHECK(holds(page, ".SS box open LID\nOpens a box.\n"));
  CHECK(holds(page, ".TP\n\\fB\\-\\-key\\-file\\fR \\fIFILE\\fR\nThe key's file. Required.\n"));
  CHECK(holds(page, "\n\\&.5 of it or more\\eless. One of \\fBsmall\\fR \\fBlarge\\fR. Default: \\fBsmall\\fR.\n"));
  CHECK_FALSE(holds(page, "gone"));
  CHECK(holds(page, ".SS box fill LID [THING]...\n"));
  CHECK(holds(page, ".SH EXIT STATUS\n0: boxed.\n.SH EXAMPLES\n.nf\n  the\\-boxes list\n  .dots\n.fi\n"));
}

TEST_CASE("help of the program ends with its sections, help of a command does not") {
  CHECK(holds(printed("--help"), "Examples:\n  the-boxes list\n"));
  const std::array words{"list", "--help"};
  const auto end = std::get<ExitStatus>(read_values(kBoxes, words, [](const std::string&) { return std::nullopt; }));
  CHECK_FALSE(holds(end.out, "Examples"));
}

TEST_CASE("the completion has groups with commands, commands with options, and options with choices") {
  const auto script = printed("--completion");
  CHECK(holds(script, "'box') words='open fill close' ;;\n"));
  CHECK(holds(script, "'box open') words='--key-file --size --labels --help' ;;\n"));
  CHECK(holds(script, "*) words='box list --help --version' ;;\n"));
  CHECK(holds(script, "--size) COMPREPLY=($(compgen -W 'small large' -- \"$word\")); return ;;\n"));
  CHECK(holds(script, "--key-file) return ;;\n"));
  CHECK(holds(script, "--labels) return ;;\n"));
  CHECK(holds(script, "complete -o default -F _the_boxes the-boxes\n"));
  CHECK_FALSE(holds(script, "gone"));
}

TEST_CASE("a flag that prints the table must be the only argument") {
  const std::array words{"list", "--man"};
  CHECK_THROWS_WITH_AS(read_values(kBoxes, words, [](const std::string&) { return std::nullopt; }),
                       "--man must be the only argument", UsageError);
}

}  // namespace tonearm::settings
