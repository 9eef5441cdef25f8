#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <csignal>

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // as in the server; OpenSSL writes to sockets itself
  return doctest::Context(argc, argv).run();
}
