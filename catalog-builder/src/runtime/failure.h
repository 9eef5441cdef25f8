#pragma once
// What ends the program: a file that cannot be read, a full disk, a wrong mapping. A line that breaks a rule ends
// nothing, it is a `Rejection` (LINE-4).

#include <stdexcept>

namespace tonearm::builder {

/// The message names the file (and the line, where there is one) and says what is wrong.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tonearm::builder
