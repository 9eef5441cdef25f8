#pragma once
// The option table of a program, from which its command line, its help and its checks are derived. Plain constants; the
// texts and arrays that they refer to must outlive every use.
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
  texts,   // like a list, but independent of the other lists of the program
};

/// Whether an option of this type may have several values.
constexpr bool may_repeat(Type type) { return type == Type::list || type == Type::texts; }

enum class Presence : std::uint8_t { optional, required };

enum class Secrecy : std::uint8_t { open, secret };  // messages omit a secret value

/// The layers that may give a value.
enum class Layers : std::uint8_t { all, flag_alone };

struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

struct Option {
  std::string_view name;  // "site-url": --site-url, TONEARM_SITE_URL, site-url = "..." in the file
  Type type = Type::text;
  std::string_view value = {};  // the name of the value in help: "FILE"
  std::string_view help = {};
  std::string_view standard = {};  // the default value; empty: none
  Presence presence = Presence::optional;
  Bounds bounds = {};                              // of a number
  std::span<const std::string_view> choices = {};  // of a text; empty: any
  Secrecy secrecy = Secrecy::open;
  Layers layers = Layers::all;
  /// Why this version rejects the option: using it ends the program with this message, and help does not list it.
  /// Empty: it is supported.
  std::string_view refusal = {};
};

struct Command {
  std::string_view name;  // "verify"; "account create" is a command of the group "account"
  std::string_view help = {};
  std::span<const Option> options = {};
  std::span<const Option> arguments = {};  // texts by position, all required; names in capitals: "FILE"
  std::string_view does_without = {};      // a required option of the program that this command does not need
  /// At most one list of all words after the arguments; it may be empty only if it is optional.
  std::span<const Option> rest = {};
};

/// Text that help and manual page show after the options, with its line breaks.
struct Section {
  std::string_view title;  // "Examples"
  std::string_view text;
};

struct Program {
  std::string_view name;
  std::string_view version;
  std::string_view help = {};
  std::span<const Option> options = {};    // allowed before and after a command
  std::span<const Command> commands = {};  // empty: the program has no commands
  std::string_view exit_status = "0: done. 1: it failed. 2: the command line is wrong.";
  std::span<const Section> sections = {};
};

}  // namespace tonearm::settings
