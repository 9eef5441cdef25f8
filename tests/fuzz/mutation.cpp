#include "mutation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tonearm::fuzz {
namespace {

using namespace std::string_view_literals;

/// Texts that end, open or overflow something in some format.
constexpr std::array kTokens{"\0"sv,
                             "\n"sv,
                             "\r\n"sv,
                             "\""sv,
                             "'"sv,
                             "\\"sv,
                             "%00"sv,
                             "%"sv,
                             "<"sv,
                             "&"sv,
                             "{"sv,
                             "}"sv,
                             "["sv,
                             "]"sv,
                             ","sv,
                             ":"sv,
                             "-1"sv,
                             "0"sv,
                             "1e999"sv,
                             "null"sv,
                             "9223372036854775808"sv,
                             "\xff"sv,
                             "\xc3"sv,
                             "\xef\xbb\xbf"sv,
                             "\xe2\x80\xae"sv,
                             "\xed\xa0\x80"sv,
                             "../"sv,
                             "\x7f\xff\xff\xff"sv,
                             "\xff\xff\xff\xff"sv,
                             "chunked"sv,
                             " "sv,
                             "\t"sv,
                             "$"sv,
                             "*"sv,
                             "#"sv};

}  // namespace

std::string Mutator::next() {
  constexpr std::uint64_t kChangesMax = 4;
  std::string input = any_input();
  for (auto left = 1 + random_.below(kChangesMax); left > 0; --left) change(input);
  return input;
}

void Mutator::change(std::string& input) {
  constexpr std::size_t kPieceMax = 64;
  const std::size_t at = offset(input);
  switch (random_.below(7)) {
    case 0:  // a bit
      if (at < input.size())
        input[at] = static_cast<char>(static_cast<unsigned char>(input[at]) ^ (1U << random_.below(8)));
      return;
    case 1:  // a byte
      if (at < input.size()) input[at] = static_cast<char>(random_.below(256));
      return;
    case 2:
      input.erase(at, random_.below(kPieceMax));
      return;
    case 3:
      input.insert(at, kTokens.at(random_.below(kTokens.size())));
      return;
    case 4:  // a piece twice
      input.insert(offset(input), input.substr(at, random_.below(kPieceMax)));
      return;
    case 5: {  // a piece of another input
      const std::string& other = any_input();
      input.insert(at, other, offset(other), kPieceMax);
      return;
    }
    default:
      input.resize(at);
  }
}

}  // namespace tonearm::fuzz
