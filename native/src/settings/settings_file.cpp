#include "settings/settings_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "files/toml_table.h"
#include "settings/layers.h"

namespace tonearm::settings {
namespace {

constexpr std::size_t kBytesMax = std::size_t{1} << 20U;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure("cannot open " + path + ": " + std::strerror(errno));
  std::string text(kBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw Failure("cannot read " + path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kBytesMax) throw Failure(path + " is longer than 1 MiB");
  return text;
}

std::vector<std::string> list_of(const toml::node& node, const std::string& origin) {
  if (const auto text = node.value_exact<std::string>()) return {*text};
  std::vector<std::string> texts;
  const auto refuse = [&] { throw Failure(origin + " must be a string or an array of strings"); };
  if (!node.is_array()) refuse();
  for (const auto& item : *node.as_array()) {
    const auto text = item.value_exact<std::string>();
    if (!text) refuse();
    texts.push_back(*text);
  }
  return texts;
}

std::vector<std::string> texts_of(const Option& option, const toml::node& node, const std::string& origin) {
  switch (option.type) {
    case Type::text:
      if (const auto text = node.value_exact<std::string>()) return {*text};
      throw Failure(origin + " must be a string");
    case Type::number:
      if (const auto number = node.value_exact<std::int64_t>()) return {std::to_string(*number)};
      throw Failure(origin + " must be a whole number");
    case Type::on_off:
      if (const auto is_on = node.value_exact<bool>()) return {*is_on ? "true" : "false"};
      throw Failure(origin + " must be true or false");
    case Type::list:
    case Type::texts:
      return list_of(node, origin);
  }
  throw std::logic_error("an option without a type");
}

toml::table read_table(const std::string& path) {
  const auto text = read_text(path);
  try {
    return native::parse_toml(text, path);
  } catch (const tonearm::Failure& failure) {
    throw Failure(failure.what());
  }
}

}  // namespace

Values::ByName read_settings_file(const std::string& path, std::span<const Option> options) {
  Values::ByName result;
  const auto table = read_table(path);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    auto origin = path;
    origin.append(":").append(std::to_string(key.source().begin.line)).append(": ");
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end())
      throw Failure(origin.append("there is no setting ").append(name).append(hint(name, options, "")));
    origin += name;
    result[name] = {texts_of(*option, node, origin), Layer::file, origin};
  }
  return result;
}

}  // namespace tonearm::settings
