#include "settings/values.h"

#include <algorithm>
#include <cassert>

#include "settings/layers.h"

namespace tonearm::settings {

Values::Values(std::string_view command, std::vector<Option> options, ByName given, std::vector<Item> items)
    : command_(command), options_(std::move(options)), given_(std::move(given)), items_(std::move(items)) {}

const Option& Values::option(std::string_view name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  assert(found != options_.end());
  return *found;
}

std::string Values::text(std::string_view name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::string(option(name).standard) : found->second.texts.front();
}

std::vector<std::string> Values::texts(std::string_view name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::vector<std::string>() : found->second.texts;
}

std::optional<std::uint64_t> Values::number(std::string_view name) const { return whole_number(text(name)); }

bool Values::is_on(std::string_view name) const { return text(name) == "true"; }

void Values::refuse(std::string_view name, const std::string& requirement) const {
  const auto& row = option(name);
  const auto found = given_.find(name);
  if (found == given_.end()) throw UsageError(flag_of(name) + " must be " + requirement);
  const auto& given = found->second;
  const bool shows_value = row.secrecy == Secrecy::open && !may_repeat(row.type);
  throw_for(given.layer,
            given.origin + " must be " + requirement + (shows_value ? ", not " + given.texts.front() : ""));
}

}  // namespace tonearm::settings
