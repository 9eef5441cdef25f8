# The core as a library: `cmake --install build/native --component development --prefix DIR` makes a tree that
# find_package(tonearm) finds. It has the public headers and three archives: the core, SQLite and Boost.JSON. The headers
# require Boost's headers (libboost1.81-dev) and C++20.
include(CMakePackageConfigHelpers)

set(TONEARM_ARCHIVES lib/tonearm)
set(TONEARM_CONFIG lib/cmake/tonearm)
set_target_properties(tonearm_core PROPERTIES EXPORT_NAME core)
install(TARGETS tonearm_core sqlite3 boost_json header_only EXPORT tonearm COMPONENT development
  ARCHIVE DESTINATION ${TONEARM_ARCHIVES} COMPONENT development
  INCLUDES DESTINATION include)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/tonearm DESTINATION include COMPONENT development)
install(EXPORT tonearm NAMESPACE tonearm:: FILE tonearm-targets.cmake
  DESTINATION ${TONEARM_CONFIG} COMPONENT development)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/tonearm-config.cmake @ONLY CONTENT [=[
# find_package(tonearm) provides the target tonearm::core.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/tonearm-targets.cmake")
]=])
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/tonearm-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/tonearm-config.cmake ${CMAKE_BINARY_DIR}/generated/tonearm-config-version.cmake
  DESTINATION ${TONEARM_CONFIG} COMPONENT development)
