#include "object_store/store_options.h"

#include <stdexcept>

namespace tonearm::native {

ObjectAccess object_access_of(const settings::Values& values, std::string_view name, std::string_view key_name,
                              const settings::Environment& environment) {
  ObjectAccess access;
  access.region = values.text("storage-region");
  try {
    access.address = parse_object_address(values.text(name), {values.text("storage-endpoint"), access.region});
  } catch (const std::runtime_error& error) {
    values.refuse(name, std::string("https://HOST/PATH or s3://BUCKET/KEY: ") + error.what());
  }
  access.credentials = credentials_source(values.text("storage-credentials"), environment);
  access.ca_file = values.text("storage-ca");
  access.allows_plain_http = !values.text(key_name).empty();
  if (!access.allows_plain_http && !is_protected(access.address.server)) {
    throw settings::UsageError("without --" + std::string(key_name) +
                               " a catalog is read only over https, or from this machine");
  }
  return access;
}

}  // namespace tonearm::native
