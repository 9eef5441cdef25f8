#pragma once
// What ends a program of the builder: a file that cannot be read, a full disk, a wrong mapping. A line that
// breaks a rule is no failure (C10.1), it is a `Fault`.

#include <stdexcept>

namespace tonearm::builder {

/// The message names the file (and the line, where there is one) and says what is wrong.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tonearm::builder
