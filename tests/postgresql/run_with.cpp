// tonearm-with-postgresql: starts a PostgreSQL server and stops it at the end.
//   tonearm-with-postgresql COMMAND...   runs a command with the server's URL in TONEARM_TEST_POSTGRESQL
//   tonearm-with-postgresql              prints the URL, and reads one command per line from stdin until its end: stop
//                                        (ends the sessions), crash (does not), start. It prints a line after each.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "own_schema.h"
#include "postgresql_folder.h"
#include "postgresql_server.h"

namespace tonearm::test {
namespace {

int serve(PostgresqlServer& server) {
  std::cout << server.url() << std::endl;
  for (std::string word; std::getline(std::cin, word);) {
    if (word == "stop") {
      server.stop(SIGINT);
    } else if (word == "crash") {
      server.stop(SIGQUIT);
    } else if (word == "start") {
      server.start();
    } else {
      throw std::runtime_error("no such word: " + word);
    }
    std::cout << "done" << std::endl;
  }
  return 0;
}

int run(const std::vector<std::string>& command) {
  const PostgresqlFolder folder;
  PostgresqlServer server(folder.path(), settings_for_state());
  if (command.empty()) return serve(server);
  setenv(kServerVariable, server.url().c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return Process(command, {}).wait();
}

}  // namespace
}  // namespace tonearm::test

int main(int argc, char** argv) {
  try {
    return tonearm::test::run({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-with-postgresql: " << failure.what() << '\n';
    return 1;
  }
}
