#include "settings/nearest.h"

#include <doctest/doctest.h>

#include <array>

namespace tonearm::settings {

TEST_CASE("the most similar name is found if it is similar enough") {
  constexpr std::array<std::string_view, 4> kNames{"listen", "admin-listen", "threads", "tls-key"};
  struct Row {
    std::string_view text;
    std::string_view nearest;  // empty: none
  };
  for (const Row& row :
       {Row{"listn", "listen"}, Row{"lisetn", "listen"}, Row{"adminlisten", "admin-listen"}, Row{"thread", "threads"},
        Row{"tls-cert", ""}, Row{"x", ""}, Row{"", ""}, Row{"listen", "listen"}}) {
    CAPTURE(row.text);
    CHECK(nearest(row.text, kNames).value_or("") == row.nearest);
  }
  CHECK_FALSE(nearest("a", {}));
}

}  // namespace tonearm::settings
