#include "report/report_lines.h"

#include <doctest/doctest.h>

namespace tonearm::builder {

TEST_CASE("BUILD-7: each member and each entry of a list has its own line") {
  CHECK(in_lines(
            R"({"a":"x,[{\"]","none":[],"counts":{"b":1,"c":2},"left_out":[{"file":"f","in":[1,2]},{"file":"g"}]})") ==
        R"({
  "a":"x,[{\"]",
  "none":[],
  "counts":{
    "b":1,
    "c":2
  },
  "left_out":[
    {"file":"f","in":[1,2]},
    {"file":"g"}
  ]
})");
  CHECK(in_lines(R"({"folders":[{"folder":"a","documents":["b","c"],"errors":{}}],"x":[[1,2]]})") ==
        R"({
  "folders":[
    {
      "folder":"a",
      "documents":[
        "b",
        "c"
      ],
      "errors":{}
    }
  ],
  "x":[
    [1,2]
  ]
})");
  CHECK(in_lines("{}") == "{}");
}

}  // namespace tonearm::builder
