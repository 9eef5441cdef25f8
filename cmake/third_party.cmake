# Third-party libraries. All come from apt and npm (build-support/setup). Those of the core are compiled from source here,
# because they are needed for two targets.

# SQLite: one pinned source for both targets, from the npm package better-sqlite3.
set(SQLITE_DIR ${CMAKE_SOURCE_DIR}/build-support/node_modules/better-sqlite3/deps/sqlite3)
set(SQLITE_SHA256 60d2f39a3726cd6b9021da6f4e868608d66fbb6528a9f513dc8ffcc640493422)
if(NOT EXISTS ${SQLITE_DIR}/sqlite3.c)
  message(FATAL_ERROR "SQLite's source is missing; run build-support/setup first")
endif()
file(SHA256 ${SQLITE_DIR}/sqlite3.c SQLITE_ACTUAL_SHA256)
if(NOT SQLITE_ACTUAL_SHA256 STREQUAL SQLITE_SHA256)
  message(FATAL_ERROR "${SQLITE_DIR}/sqlite3.c is not the pinned version: ${SQLITE_ACTUAL_SHA256}")
endif()
add_library(sqlite3 STATIC ${SQLITE_DIR}/sqlite3.c)
# The level of SQLite's own build; -O3 compiles a third longer.
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT EMSCRIPTEN)
  target_compile_options(sqlite3 PRIVATE -O2)
endif()
target_include_directories(sqlite3 SYSTEM PUBLIC $<BUILD_INTERFACE:${SQLITE_DIR}>)
target_compile_definitions(sqlite3 PRIVATE
  SQLITE_ENABLE_FTS5 SQLITE_DQS=0 SQLITE_OMIT_LOAD_EXTENSION SQLITE_DEFAULT_MEMSTATUS=0 SQLITE_OMIT_DEPRECATED
  SQLITE_LIKE_DOESNT_MATCH_BLOBS SQLITE_OMIT_SHARED_CACHE SQLITE_DEFAULT_FOREIGN_KEYS=1)
if(EMSCRIPTEN)
  target_compile_definitions(sqlite3 PRIVATE SQLITE_OS_OTHER=1 SQLITE_THREADSAFE=0 SQLITE_OMIT_WAL
    SQLITE_TEMP_STORE=3)
else()
  target_compile_definitions(sqlite3 PRIVATE SQLITE_THREADSAFE=2 SQLITE_USE_URI=1 SQLITE_MAX_MMAP_SIZE=0x4000000000)
  find_package(Threads REQUIRED)
  target_link_libraries(sqlite3 PUBLIC Threads::Threads m)
endif()

# Header-only libraries. For WebAssembly only their folders may be visible, not all of /usr/include.
if(EMSCRIPTEN)
  set(HEADER_ONLY_DIR ${CMAKE_BINARY_DIR}/include)
  file(MAKE_DIRECTORY ${HEADER_ONLY_DIR})
  foreach(folder boost fmt)
    file(CREATE_LINK /usr/include/${folder} ${HEADER_ONLY_DIR}/${folder} SYMBOLIC)
  endforeach()
  add_library(header_only INTERFACE)
  target_include_directories(header_only SYSTEM INTERFACE ${HEADER_ONLY_DIR})
else()
  find_path(BOOST_INCLUDE boost/json.hpp REQUIRED)
  add_library(header_only INTERFACE)
endif()
target_compile_definitions(header_only INTERFACE FMT_HEADER_ONLY)

# Boost.JSON, compiled once.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/boost_json.cpp CONTENT "#include <boost/json/src.hpp>\n")
add_library(boost_json STATIC ${CMAKE_BINARY_DIR}/generated/boost_json.cpp)
target_link_libraries(boost_json PUBLIC header_only)
