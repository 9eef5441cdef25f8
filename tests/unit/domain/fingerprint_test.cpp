// CREDIT-25

#include "domain/fingerprint.h"

#include <doctest/doctest.h>

#include <string>

using namespace tonearm;

namespace {

// The output of libchromaprint 1.5.1 for these values (chromaprint_encode_fingerprint, algorithm 1, base64).
struct Sample {
  std::vector<std::uint32_t> values;
  std::string text;
};
std::vector<Sample> samples() {
  return {
      {{}, "AQAAAA"},
      {{0x00000001U}, "AQAAAQE"},
      {{0x00000000U, 0x00000000U, 0x00000000U}, "AQAAAwAA"},
      {{0x80000000U}, "AQAAAQcZ"},
      {{0xffffffffU, 0x00000000U, 0xffffffffU}, "AQAAA0mSJEmSJEmSJEmSJEiSJEmSJEmSJEmSJEGSJEmSJEmSJEmSJAkA"},
      {{0xdeadbeefU, 0xdeadbeeeU, 0x12345678U, 0x12345679U, 0x80000001U}, "AQAABUmiREmiKJKSKAgUjUqybFkQMMkiUeEG"},
      {{0x38d48b63U, 0x0e2048ceU, 0xdee84fefU, 0xd4d1e6bdU, 0x34eb8be6U, 0x5d1ddc76U, 0xeb2a1590U, 0xfabce849U,
        0x7d088408U, 0x16fe82e4U, 0x9c9b3ee7U, 0x659087beU},
       "AQAADAmjiJPCBFGkpJmSKArSJV-"
       "qQJMmZQmFRJEUZUqeoEsiLUqSKVCWZEsShVGELEqUJFG0EDGjUFGSYlGiPEqSSEHyJIqWicgiLVGiLkkAIgAB"},
  };
}

}  // namespace

TEST_CASE("A fingerprint written by libchromaprint is read correctly (CREDIT-25)") {
  for (const Sample& sample : samples()) {
    CHECK(read_fingerprint(sample.text) == sample.values);
    CHECK(read_fingerprint(sample.text + std::string((4 - sample.text.size() % 4) % 4, '=')) == sample.values);
  }
}

TEST_CASE("A truncated fingerprint, or one longer than its header states, is rejected") {
  for (const Sample& sample : samples()) {
    for (std::size_t size = 0; size < sample.text.size(); ++size) {
      CHECK_FALSE(read_fingerprint(std::string_view(sample.text).substr(0, size)));
    }
    CHECK_FALSE(read_fingerprint(sample.text + "AAAA"));
  }
}

TEST_CASE("Malformed text is not a fingerprint") {
  CHECK_FALSE(read_fingerprint("AgAAAA"));   // algorithm 2
  CHECK_FALSE(read_fingerprint("AQAA*A"));   // not base64
  CHECK_FALSE(read_fingerprint("AQAAAA="));  // incomplete padding
  CHECK_FALSE(read_fingerprint(""));
  CHECK_FALSE(read_fingerprint("AQAAAf___w_"));                       // a bit above the 32nd
  CHECK_FALSE(read_fingerprint("AQAEAQ" + std::string(600, 'A')));    // 1,025 values
  CHECK(read_fingerprint("AQAAAA") == std::vector<std::uint32_t>());  // too short for a value
}
