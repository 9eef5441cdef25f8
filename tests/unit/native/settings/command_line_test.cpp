#include "settings/command_line.h"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <vector>

#include "scratch_folder.h"

namespace tonearm::settings {
namespace {

constexpr std::array<std::string_view, 2> kColours{"red", "blue"};
constexpr std::array kOptions{
    Option{.name = "input", .type = Type::list, .value = "FILE", .help = "What to read"},
    Option{.name = "source", .type = Type::list, .value = "NAME", .help = "What else to read"},
    Option{.name = "site-url", .value = "URL", .help = "Address", .standard = "http://here"},
    Option{.name = "threads", .type = Type::number, .value = "N", .help = "Threads", .bounds = {1, 8}},
    Option{.name = "strict", .type = Type::on_off, .help = "Stop at once"},
    Option{.name = "colour", .value = "NAME", .help = "Paint", .choices = kColours},
    Option{.name = "password", .value = "TEXT", .help = "Secret", .choices = kColours, .secrecy = Secrecy::secret},
    Option{.name = "signature", .value = "FILE", .help = "Signs", .refusal = "signing is missing"},
};
constexpr std::array kRequired{
    Option{.name = "output", .value = "FILE", .help = "What to write", .presence = Presence::required}};
constexpr std::array kJson{
    Option{.name = "json", .type = Type::on_off, .help = "As JSON", .layers = Layers::flag_alone}};
constexpr std::array kFile{Option{.name = "FILE", .help = "What to look at"}};
constexpr std::array kWords{Option{.name = "WORD", .type = Type::list, .help = "What to say"}};
constexpr std::array kNames{
    Option{.name = "NAME", .type = Type::list, .help = "Whom to greet", .presence = Presence::required}};
constexpr std::array kPace{Option{.name = "pace", .value = "NAME", .help = "How"}};
constexpr std::array<Command, 6> kCommands{{
    {"write", "Writes", kRequired, {}},
    {"look", "Looks", kJson, kFile},
    {"box open", "Opens a box", {}, {}},
    {"box close", "Closes a box", {}, {}},
    {"say", "Says something", kPace, {}, {}, kWords},
    {"greet", "Greets", {}, kFile, {}, kNames},
}};
constexpr Program kSingle{.name = "single", .version = "7", .help = "Does one thing", .options = kOptions};
constexpr Program kSeveral{
    .name = "several", .version = "7", .help = "Does several things", .options = kOptions, .commands = kCommands};

using Variables = std::map<std::string, std::string>;
using Words = std::vector<const char*>;

Environment environment_of(const Variables& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

Values values(const Words& words, const Variables& variables = {}, const Program& program = kSingle) {
  auto read = read_values(program, words, environment_of(variables));
  REQUIRE(std::holds_alternative<Values>(read));
  return std::get<Values>(std::move(read));
}

/// Returns the message about an invalid command line (after "2: ") or an invalid lower layer ("1: ").
std::string complaint(const Words& words, const Variables& variables = {}, const Program& program = kSingle) {
  try {
    read_values(program, words, environment_of(variables));
  } catch (const UsageError& error) {
    return std::string("2: ") + error.what();
  } catch (const Failure& failure) {
    return std::string("1: ") + failure.what();
  }
  return "fine";
}

std::string out(const Words& words, const Program& program) {
  const auto read = read_values(program, words, environment_of({}));
  REQUIRE(std::holds_alternative<ExitStatus>(read));
  CHECK(std::get<ExitStatus>(read).status == 0);
  return std::get<ExitStatus>(read).out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("flags override the environment, which overrides the file, which overrides the table") {
  const test::ScratchFolder folder;
  const auto file = folder.write("c.toml", "site-url = 'file'\nthreads = 3\nstrict = true\ncolour = 'red'\n");
  const Variables variables{{"TONEARM_SITE_URL", "environment"}, {"TONEARM_THREADS", "4"}, {"TONEARM_CONFIG", file}};
  const auto all = values({"--site-url", "flag"}, variables);
  CHECK(all.text("site-url") == "flag");
  CHECK(all.number("threads") == 4);
  CHECK(all.is_on("strict"));
  CHECK(all.text("colour") == "red");
  CHECK(values({"--config", file.c_str()}).text("site-url") == "file");
  const auto none = values({});
  CHECK(none.text("site-url") == "http://here");
  CHECK_FALSE(none.is_given("site-url"));
  CHECK(none.number("threads") == std::nullopt);
  CHECK_FALSE(none.is_on("strict"));
}

TEST_CASE("an empty variable counts as not set, an empty flag does not") {
  CHECK(values({}, {{"TONEARM_SITE_URL", ""}}).text("site-url") == "http://here");
  CHECK(values({"--site-url", ""}).text("site-url").empty());
}

TEST_CASE("a switch is on without a value, and may be turned off") {
  CHECK(values({"--strict"}).is_on("strict"));
  CHECK(values({"--strict=true"}).is_on("strict"));
  CHECK(values({"--strict", "--strict"}).is_on("strict"));
  CHECK_FALSE(values({"--strict=false"}, {{"TONEARM_STRICT", "true"}}).is_on("strict"));
  CHECK(values({}, {{"TONEARM_STRICT", "1"}}).is_on("strict"));
  CHECK_FALSE(values({}, {{"TONEARM_STRICT", "0"}}).is_on("strict"));
  CHECK(complaint({"--strict=perhaps"}) == "2: --strict must be true or false, not perhaps");
  CHECK(complaint({}, {{"TONEARM_STRICT", "perhaps"}}) == "1: TONEARM_STRICT must be true or false, not perhaps");
}

TEST_CASE("lists have the order of the command line and come from only one layer") {
  const test::ScratchFolder folder;
  const auto file = folder.write("c.toml", "input = ['a', 'b']\nsource = 'c'\n");
  const auto joined = [](const Values& all) {
    std::string text;
    for (const auto& [name, item] : all.items()) text += std::string(name) + '=' + item + ' ';
    return text;
  };
  const Variables variables{{"TONEARM_INPUT", "x\n\ny"}, {"TONEARM_CONFIG", file}};
  CHECK(joined(values({"--source", "1", "--input", "2", "--source=3"}, variables)) == "source=1 input=2 source=3 ");
  CHECK(joined(values({}, variables)) == "input=x input=y ");
  CHECK(joined(values({}, {{"TONEARM_CONFIG", file}})) == "input=a input=b source=c ");
  CHECK(joined(values({"write", "--input", "1", "--output", "o", "--source", "2"}, {}, kSeveral)) ==
        "input=1 source=2 ");
}

TEST_CASE("an invalid value is reported with its setting, its origin and the accepted values") {
  const test::ScratchFolder folder;
  CHECK(complaint({"--threads", "0"}) == "2: --threads must be a whole number from 1 to 8, not 0");
  CHECK(complaint({"--threads", "-1"}) == "2: --threads must be a whole number from 1 to 8, not -1");
  CHECK(complaint({}, {{"TONEARM_THREADS", "many"}}) ==
        "1: TONEARM_THREADS must be a whole number from 1 to 8, not many");
  CHECK(complaint({"--colour", "green"}) == "2: --colour must be red or blue, not green");
  CHECK(complaint({"--password", "s3cret"}) == "2: --password must be red or blue");
  const auto in_file = [&](const std::string& text) {
    const auto path = folder.write("c.toml", text);
    const auto said = complaint({"--config", path.c_str()});
    REQUIRE(said.starts_with("1: " + path));
    return said.substr(3 + path.size());
  };
  CHECK(in_file("\nthreads = 9") == ":2: threads must be a whole number from 1 to 8, not 9");
  CHECK(in_file("threads = '2'") == ":1: threads must be a whole number");
  CHECK(in_file("threads = -2") == ":1: threads must be a whole number from 1 to 8, not -2");
  CHECK(in_file("\n\nstrict = 'yes'") == ":3: strict must be true or false");
  CHECK(in_file("site-url = 1") == ":1: site-url must be a string");
  CHECK(in_file("input = [1]") == ":1: input must be a string or an array of strings");
  CHECK(in_file("site-url = ").starts_with(":1: "));
}

TEST_CASE("make can refuse a value with its origin, without showing a secret") {
  const auto all = values({"--site-url", "x"}, {{"TONEARM_PASSWORD", "red"}});
  CHECK_THROWS_WITH_AS(all.refuse("site-url", "a URL"), "--site-url must be a URL, not x", UsageError);
  CHECK_THROWS_WITH_AS(all.refuse("password", "longer"), "TONEARM_PASSWORD must be longer", Failure);
  CHECK_THROWS_WITH_AS(all.refuse("colour", "given"), "--colour must be given", UsageError);
}

TEST_CASE("the error about an unknown option or key suggests the most similar one") {
  CHECK(complaint({"--thread", "1"}) == "2: there is no option --thread; did you mean --threads?");
  CHECK(complaint({"--site-ulr=x"}) == "2: there is no option --site-ulr; did you mean --site-url?");
  CHECK(complaint({"--nonsense"}) == "2: there is no option --nonsense");
  CHECK(complaint({"-x"}) == "2: there is no option -x");
  CHECK(complaint({"look", "f", "--jsn"}, {}, kSeveral) == "2: there is no option --jsn; did you mean --json?");
  CHECK(complaint({"--json", "look", "f"}, {}, kSeveral) == "2: --json must follow the command look");
  const test::ScratchFolder folder;
  const auto path = folder.write("c.toml", "strict = true\ncolor = 'red'");
  CHECK(complaint({"--config", path.c_str()}) == "1: " + path + ":2: there is no setting color; did you mean colour?");
}

TEST_CASE("the error names a missing file") {
  CHECK(complaint({"--config", "/nowhere.toml"}) == "1: cannot open /nowhere.toml: No such file or directory");
  CHECK(complaint({"--config", "/"}).starts_with("1: cannot read /"));
}

TEST_CASE("PROGRAM-28: a file of settings that is nested too deeply is an error of its line") {
  std::string key = "a";
  for (int i = 1; i < 40'000; ++i) key += ".a";
  const test::ScratchFolder folder;
  const auto path = folder.write("c.toml", "strict = true\n" + key + " = 1\n");
  CHECK(complaint({"--config", path.c_str()}) == "1: " + path + ":2: is nested deeper than 64 levels");
}

TEST_CASE("a required option may come from any layer") {
  const test::ScratchFolder folder;
  const auto path = folder.write("c.toml", "output = 'o'");
  CHECK(values({"write", "--output", "o"}, {}, kSeveral).text("output") == "o");
  CHECK(values({"write"}, {{"TONEARM_OUTPUT", "o"}}, kSeveral).text("output") == "o");
  CHECK(values({"--config", path.c_str(), "write"}, {}, kSeveral).text("output") == "o");
  CHECK(complaint({"write"}, {}, kSeveral) ==
        "2: --output is required (or TONEARM_OUTPUT, or output in the file of --config)");
  CHECK(complaint({"write", "--output", ""}, {}, kSeveral).starts_with("2: --output is required"));
}

TEST_CASE("an option that is only a flag is not read from the environment or the file") {
  const test::ScratchFolder folder;
  const auto path = folder.write("c.toml", "json = true");
  CHECK_FALSE(values({"look", "f"}, {{"TONEARM_JSON", "true"}}, kSeveral).is_on("json"));
  CHECK(complaint({"look", "f", "--config", path.c_str()}, {}, kSeveral) ==
        "1: " + path + ":1: there is no setting json");
}

TEST_CASE("commands are found by their words, and errors list the existing ones") {
  const auto look = values({"look", "f", "--json", "--threads", "2"}, {}, kSeveral);
  CHECK(look.command() == "look");
  CHECK(look.text("FILE") == "f");
  CHECK(look.is_on("json"));
  CHECK(look.number("threads") == 2);
  CHECK(values({"box", "close"}, {}, kSeveral).command() == "box close");
  CHECK(values({}).command().empty());
  CHECK(complaint({}, {}, kSeveral) ==
        "2: a command is missing; there are write, look, box open, box close, say, greet");
  CHECK(complaint({"box"}, {}, kSeveral) == "2: a command is missing; there are box open, box close");
  CHECK(complaint({"bake"}, {}, kSeveral) ==
        "2: there is no command bake; there are write, look, box open, box close, say, greet");
  CHECK(complaint({"box", "shut"}, {}, kSeveral) == "2: there is no command box shut; there are box open, box close");
}

TEST_CASE("a positional list has all words after the arguments") {
  using Items = std::vector<Values::Item>;
  CHECK(values({"say"}, {}, kSeveral).items().empty());
  CHECK(values({"say", "look", "--strict", "box"}, {}, kSeveral).items() == Items{{"WORD", "look"}, {"WORD", "box"}});
  CHECK(values({"say", "--", "-a", "--strict"}, {}, kSeveral).items() == Items{{"WORD", "-a"}, {"WORD", "--strict"}});
  const auto greeted = values({"greet", "it", "Ada", "Bo"}, {}, kSeveral);
  CHECK(greeted.text("FILE") == "it");
  CHECK(greeted.items() == Items{{"NAME", "Ada"}, {"NAME", "Bo"}});
  CHECK(complaint({"greet", "it"}, {}, kSeveral) == "2: NAME is required");
}

TEST_CASE("--config is allowed before and after a command") {
  const test::ScratchFolder folder;
  const auto file = folder.write("settings.toml", "pace = \"slow\"\n");
  CHECK(values({"say", "--config", file.c_str()}, {}, kSeveral).text("pace") == "slow");
  CHECK(values({"--config", file.c_str(), "say"}, {}, kSeveral).text("pace") == "slow");
}

TEST_CASE("extra words are refused") {
  CHECK(complaint({"word"}) == "2: unexpected word: word");
  CHECK(complaint({"look", "f", "g"}, {}, kSeveral) == "2: unexpected word: g");
  CHECK(complaint({"look"}, {}, kSeveral) == "2: FILE is required");
  CHECK(complaint({"--threads", "1", "--threads", "2"}) == "2: --threads is given more than once");
  CHECK(complaint({"--threads"}).starts_with("2: --threads"));
}

TEST_CASE("an option that this version rejects is rejected in every layer and not in the help") {
  CHECK(complaint({"--signature", "f"}) == "1: --signature: signing is missing");
  CHECK(complaint({}, {{"TONEARM_SIGNATURE", "f"}}) == "1: TONEARM_SIGNATURE: signing is missing");
  CHECK(complaint({"--signatur", "f"}) == "2: there is no option --signatur");
  CHECK_FALSE(has(out({"--help"}, kSingle), "signature"));
}

TEST_CASE("help shows each option with its value, its default and whether it is required") {
  const auto help = out({"--help"}, kSingle);
  for (const auto* part :
       {"--site-url URL", "Address (default http://here)", "--strict", "--config FILE", "--version"}) {
    CAPTURE(part);
    CHECK(has(help, part));
  }
  CHECK(has(out({"write", "--help"}, kSeveral), "What to write (required)"));
  CHECK(has(out({"--help"}, kSeveral), "Opens a box") == false);
  CHECK(has(out({"box", "--help"}, kSeveral), "Opens a box"));
  CHECK(out({"--version"}, kSeveral) == "several 7\n");
}

TEST_CASE("a usage error becomes an exit status, a failure passes") {
  const auto make = [](const Values& all) -> std::string {
    if (all.text("site-url") == "bad") all.refuse("site-url", "good");
    return all.text("site-url");
  };
  const auto read = [&](const Words& words, const Variables& variables) {
    return read_settings<std::string>(kSingle, words, environment_of(variables), make);
  };
  CHECK(std::get<std::string>(read({"--site-url", "x"}, {})) == "x");
  const auto end = std::get<ExitStatus>(read({"--site-url", "bad"}, {}));
  CHECK(end.status == 2);
  CHECK(end.errors == "single: --site-url must be good, not bad\nRun single --help for more.\n");
  CHECK_THROWS_WITH_AS(read({}, {{"TONEARM_SITE_URL", "bad"}}), "TONEARM_SITE_URL must be good, not bad", Failure);
}

}  // namespace tonearm::settings
