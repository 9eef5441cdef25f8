#pragma once
// The table of a program's settings, from which its command line, its help and its checks are made. Plain constants;
// what they refer to must outlive every use of them.
//
//   constexpr std::array kOptions{
//       Option{.name = "catalog", .value = "FILE", .help = "The snapshot to serve", .presence = Presence::required},
//       Option{.name = "threads", .type = Type::number, .value = "N", .help = "...", .bounds = {1, 1024}},
//   };

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace tonearm::settings {

enum class Type : std::uint8_t {
  text,
  number,  // whole, from 0
  on_off,  // --strict, --strict=false; in a variable true, false, 1, 0; in the file a boolean
  list,    // a flag may be repeated; a variable has a line for each item, the file a string or an array of strings
};

enum class Presence : std::uint8_t { optional, required };

enum class Secrecy : std::uint8_t { open, secret };  // no message shows a secret value

/// Where a value may come from.
enum class Layers : std::uint8_t { all, flag_alone };

struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

struct Option {
  std::string_view name;  // "site-url": --site-url, TONEARM_SITE_URL, site-url = "..." in the file
  Type type = Type::text;
  std::string_view value = {};  // what help calls the value: "FILE"
  std::string_view help = {};
  std::string_view standard = {};  // the value where none is given; empty: none
  Presence presence = Presence::optional;
  Bounds bounds = {};                              // of a number
  std::span<const std::string_view> choices = {};  // of a text; empty: any
  Secrecy secrecy = Secrecy::open;
  Layers layers = Layers::all;
  /// Why this version refuses the option: giving it ends the program with this message, and help does not list it.
  /// Empty: it works.
  std::string_view refusal = {};
};

struct Command {
  std::string_view name;  // "verify"; "account create" is a command of the group "account"
  std::string_view help = {};
  std::span<const Option> options = {};
  std::span<const Option> arguments = {};  // texts by position, all required; names in capitals: "FILE"
  std::string_view does_without = {};      // a required option of the program that this command has no use for
  /// Lists by position: all words behind the arguments. At most one; without a word only if it is optional.
  std::span<const Option> rest = {};
};

/// Text that help and manual page show behind the options. Lines stay as they are.
struct Section {
  std::string_view title;  // "Examples"
  std::string_view text;
};

struct Program {
  std::string_view name;
  std::string_view version;
  std::string_view help = {};
  std::span<const Option> options = {};    // may stand before and behind a command
  std::span<const Command> commands = {};  // empty: the program does one thing
  std::string_view exit_status = "0: done. 1: it failed. 2: the command line is wrong.";
  std::span<const Section> sections = {};
};

}  // namespace tonearm::settings
