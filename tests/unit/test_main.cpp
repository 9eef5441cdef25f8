#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <csignal>

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // as the servers do; OpenSSL writes to sockets by itself
  return doctest::Context(argc, argv).run();
}
