#include "films/limited_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kErrorBytesMax = 4'096;
constexpr std::size_t kErrorLineMax = 200;
constexpr rlim_t kCpuSecondsMax = 3'600;
constexpr rlim_t kMemoryBytesMax = rlim_t{2} * 1024 * 1024 * 1024;
constexpr rlim_t kDescriptorsMax = 64;
constexpr int kNotStarted = 127;

const char* search_path() {
  const char* const path = std::getenv("PATH");
  return path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
}

/// The ends of a pipe; closes those that were not released.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw ProcessError(std::string("no pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writer() const { return ends_[1]; }
  int release_reader() { return std::exchange(ends_[0], -1); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Keeps a limit of the user that is lower.
template <class Resource>
void limit(Resource resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) ::_exit(kNotStarted);
  const rlim_t lower = std::min(most, now.rlim_cur);
  const rlimit both{lower, lower};
  if (::setrlimit(resource, &both) != 0) ::_exit(kNotStarted);
}

/// Becomes the program. Runs in the child of a fork, so it calls only functions that are safe in signal handlers.
[[noreturn]] void become(const char* path, char* const* words, char* const* variables, int output, int errors,
                         pid_t parent) {
  // A parent that ended before the first call is not noticed by it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) ::_exit(kNotStarted);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(kNotStarted);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  // The pipes may have the numbers of the standard streams if these are closed.
  const int high_output = ::fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int high_errors = ::fcntl(errors, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int high_input = ::fcntl(input, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (::dup2(high_input, STDIN_FILENO) < 0 || ::dup2(high_output, STDOUT_FILENO) < 0 ||
      ::dup2(high_errors, STDERR_FILENO) < 0) {
    ::_exit(kNotStarted);
  }
  ::closefrom(STDERR_FILENO + 1);  // also on kernels without close_range
  limit(RLIMIT_CPU, kCpuSecondsMax);
  limit(RLIMIT_AS, kMemoryBytesMax);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, kDescriptorsMax);
  ::execve(path, words, variables);
  ::_exit(kNotStarted);
}

pid_t start_limited(const std::string& path, const std::vector<std::string>& arguments, int output, int errors) {
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::string folders = std::string("PATH=") + search_path();
  std::string language = "LANG=C.UTF-8";
  std::array<char*, 3> variables{folders.data(), language.data(), nullptr};
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw ProcessError(path + ": cannot be started: " + std::strerror(errno));
  if (child == 0) become(path.c_str(), words.data(), variables.data(), output, errors, parent);
  return child;
}

}  // namespace

std::string find_program(const std::string& name) {
  std::string_view folders = search_path();
  while (!folders.empty()) {
    const auto end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path folder(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
    const auto file = folder / name;
    std::error_code error;
    const bool is_file = folder.is_absolute() && std::filesystem::is_regular_file(file, error);
    if (is_file && ::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
}

LimitedProcess::LimitedProcess(const std::string& path, const std::vector<std::string>& arguments,
                               std::chrono::milliseconds patience)
    : patience_(patience) {
  std::signal(SIGCHLD, SIG_DFL);  // a parent may have ignored it; then the exit status would be lost
  Pipe output;
  Pipe errors;
  pid_ = start_limited(path, arguments, output.writer(), errors.writer());
  output_ = output.release_reader();
  errors_ = errors.release_reader();
}

LimitedProcess::~LimitedProcess() {
  for (const int descriptor : {output_, errors_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::size_t LimitedProcess::read(std::span<char> buffer) {
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  while (output_ >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    std::array<pollfd, 2> ends{pollfd{output_, POLLIN, 0}, pollfd{errors_, POLLIN, 0}};
    const int ready = left <= 0 ? 0 : ::poll(ends.data(), ends.size(), static_cast<int>(left));
    if (ready == 0) throw ProcessError("the program wrote nothing for too long");
    if (ready < 0 && errno != EINTR) throw ProcessError(std::string("poll: ") + std::strerror(errno));
    if (ready < 0) continue;
    if (ends[1].revents != 0) read_errors();
    if (ends[0].revents == 0) continue;
    if (const auto count = read_available(output_, buffer); count > 0) return count;
  }
  return 0;
}

bool LimitedProcess::finish() {
  constexpr std::chrono::milliseconds kStep{10};
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  int status = 0;
  for (;;) {
    if (errors_ >= 0) {
      pollfd end{errors_, POLLIN, 0};
      if (::poll(&end, 1, static_cast<int>(kStep.count())) > 0) read_errors();
      if (errors_ >= 0 && std::chrono::steady_clock::now() < deadline) continue;
    }
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) break;
    if (ended < 0 && errno != EINTR) {
      pid_ = -1;  // somebody else waited for it, and the number may belong to another process
      throw ProcessError(std::string("its exit status is unknown: ") + std::strerror(errno));
    }
    if (std::chrono::steady_clock::now() >= deadline) throw ProcessError("the program does not end");
    std::this_thread::sleep_for(kStep);
  }
  pid_ = -1;
  if (WIFSIGNALED(status) && error_text_.empty()) error_text_ = "ended by signal " + std::to_string(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted && error_text_.empty()) error_text_ = "does not start";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string LimitedProcess::error_line() const {
  const auto line = terminal::line(std::string_view(error_text_).substr(0, error_text_.find('\n')));
  return line.substr(0, kErrorLineMax);
}

/// Returns 0 at the end, and closes the descriptor then.
std::size_t LimitedProcess::read_available(int& descriptor, std::span<char> buffer) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count > 0) return static_cast<std::size_t>(count);
  ::close(std::exchange(descriptor, -1));
  return 0;
}

void LimitedProcess::read_errors() {
  std::array<char, kErrorBytesMax> buffer{};
  const auto count = read_available(errors_, buffer);
  error_text_.append(buffer.data(), std::min(count, kErrorBytesMax - error_text_.size()));
}

}  // namespace tonearm::cli
