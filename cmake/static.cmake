# A toolchain for programs without shared libraries, and for the libraries in them (build-support/static-libraries).
# TONEARM_PROCESSOR is x86_64 or aarch64. docs/adr/0161-a-static-program-of-debians-parts.md
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TONEARM_PROCESSOR)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${TONEARM_PROCESSOR})
set(CMAKE_C_COMPILER ${TONEARM_PROCESSOR}-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER ${TONEARM_PROCESSOR}-linux-gnu-g++)

get_filename_component(TREE ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${TREE}/build/static/${TONEARM_PROCESSOR}/prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The linker removes functions that the program does not call. Files contain no path of this machine.
set(flags "-fPIE -fstack-protector-strong -ffunction-sections -fdata-sections -ffile-prefix-map=${TREE}=.")
set(CMAKE_C_FLAGS_INIT "${flags} -isystem ${CMAKE_FIND_ROOT_PATH}/include")
set(CMAKE_CXX_FLAGS_INIT "${flags} -isystem ${CMAKE_FIND_ROOT_PATH}/include")
# -B: the C library is that of Debian's current package, not that of the compiler.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-B${CMAKE_FIND_ROOT_PATH}/libc/ -static-pie -Wl,--gc-sections -Wl,--build-id=sha1")
