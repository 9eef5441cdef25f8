#pragma once
// The options of programs that read catalogs from object storage: rows of their tables, and the values.

#include "object_store/object_reader.h"
#include "settings/command_line.h"

namespace tonearm::native {

inline constexpr settings::Option kStorageEndpointOption{
    .name = "storage-endpoint",
    .value = "URL",
    .help = "Where s3:// leads, for stores other than Amazon's: http(s)://HOST[:PORT]"};
inline constexpr settings::Option kStorageRegionOption{
    .name = "storage-region", .value = "NAME", .help = "Region of the bucket", .standard = "us-east-1"};
inline constexpr settings::Option kStorageCredentialsOption{
    .name = "storage-credentials",
    .value = "FILE",
    .help =
        "File with the key of the bucket, as ~/.aws/credentials (default: AWS_ACCESS_KEY_ID, "
        "AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or none)"};
inline constexpr settings::Option kStorageCaOption{
    .name = "storage-ca", .value = "FILE", .help = "PEM certificates to trust instead of the system's"};

/// Returns how the snapshot that the option or argument `name` names is read: with the key of its publisher, the option
/// `key_name`, also over plain http. Throws settings::UsageError, and Failure for credentials that cannot be used.
ObjectAccess object_access_of(const settings::Values& values, std::string_view name, std::string_view key_name,
                              const settings::Environment& environment);

}  // namespace tonearm::native
