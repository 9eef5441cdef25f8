// Shares one answer between two services of a process.
#include <tonearm/shared_answers.h>
#include <map>

namespace {

class Memory final : public tonearm::SharedAnswers {
 public:
  std::optional<std::string> find(std::string_view key) override {
    const auto found = entries_.find(std::string(key));
    if (found == entries_.end()) return std::nullopt;
    return found->second;
  }
  void store(std::string_view key, std::string_view entry) override { entries_[std::string(key)] = entry; }

 private:
  std::map<std::string, std::string> entries_;
};

}  // namespace

int main() {
  Memory memory;
  memory.store("key", "entry");
  return memory.find("key") == "entry" && !memory.find("other") ? 0 : 1;
}
