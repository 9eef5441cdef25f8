// tonearm-hostile SNAPSHOT FOLDER: makes a hostile snapshot of a valid one in each known way, and prints the file
// names, one per line, followed by the word "sound" if a reader may accept the file.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "hostile_snapshots.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "Usage: tonearm-hostile SNAPSHOT FOLDER\n";
    return 2;
  }
  try {
    std::ifstream file(argv[1], std::ios::binary);
    const std::string sound{std::istreambuf_iterator<char>(file), {}};
    for (const auto& [name, bytes, is_sound] : tonearm::test::hostile_snapshots(sound)) {
      std::ofstream(std::filesystem::path(argv[2]) / name, std::ios::binary) << bytes;
      std::cout << name << (is_sound ? " sound\n" : "\n");
    }
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-hostile: " << failure.what() << '\n';
    return 1;
  }
}
