// Keeps the counts of one account in memory.
#include <tonearm/unwritten_counts.h>

namespace {

class Memory final : public tonearm::UnwrittenCounts {
 public:
  std::string read() override { return counts_; }
  void replace(std::string_view counts) override { counts_ = counts; }

 private:
  std::string counts_;
};

}  // namespace

int main() {
  Memory memory;
  memory.replace("counts");
  return memory.read() == "counts" ? 0 : 1;
}
