// Reads a remote file of two blocks. Views of its bytes are valid until `end_request`.
#include <tonearm/paged_file.h>
#include <cstring>

class Letters final : public tonearm::BlockSource {
 public:
  void fetch(std::span<const Request> wanted) override {
    for (const Request& one : wanted) {
      const std::size_t size = one.block == 0 ? tonearm::kBlockBytes : 10;
      std::memset(one.into, one.block == 0 ? 'a' : 'b', size);
    }
  }
};

int main() {
  Letters letters;
  const tonearm::PagedFile file(tonearm::kBlockBytes + 10, letters, 8);
  const bool right = file.bytes(tonearm::kBlockBytes - 2, 4) == "aabb";
  file.end_request();  // the views are invalid now
  return right && file.resident_blocks() <= 8 ? 0 : 1;
}
