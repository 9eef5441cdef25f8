# An interface target with the options of all files of the project, but not of third-party files.
add_library(tonearm_flags INTERFACE)
target_compile_options(tonearm_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror)
target_compile_definitions(tonearm_flags INTERFACE TONEARM_VERSION="${PROJECT_VERSION}")

# Floating point decides no order; its remaining uses must not differ between processors.
add_compile_options(-ffp-contract=off)

if(EMSCRIPTEN)
  add_compile_options(-fwasm-exceptions -msimd128 -msign-ext)
  add_link_options(-fwasm-exceptions)
else()
  # -isystem suppresses false positives of g++ 12 in Boost headers (deprecated-copy, null-dereference).
  find_program(MOLD mold)
  if(MOLD AND NOT TONEARM_STATIC)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# Hardening of every native program, including third-party sources; tests/http/hardening.mjs checks the optimized programs.
# -fPIE instead of -fPIC keeps calls inside a program direct and inlined.
if(NOT EMSCRIPTEN)
  if(TONEARM_SANITIZE MATCHES address)
    # The sanitizers add a million pointers to a program. Relocating them took half of the 0.4 s of each start (docs/adr/0157-what-tests-compile-and-repeat.md).
    add_compile_options(-fno-pie)
    add_link_options(-no-pie)
  else()
    add_compile_options(-fPIE)
    if(NOT TONEARM_STATIC) # its toolchain says -static-pie
      add_link_options(-pie)
    endif()
  endif()
  add_compile_options(-fstack-protector-strong)
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    add_compile_options(-fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
    add_compile_options(-mbranch-protection=standard)
  endif()
  # _FORTIFY_SOURCE requires optimization.
  add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()

# compile_quickly(): for a folder without loops that tests run for minutes. Sanitized code then compiles in two thirds of the time.
macro(compile_quickly)
  if(TONEARM_SANITIZE)
    add_compile_options(-Og)
  endif()
endmacro()

if(TONEARM_SANITIZE)
  add_compile_options(-fsanitize=${TONEARM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1)
  add_link_options(-fsanitize=${TONEARM_SANITIZE})
endif()

# The libraries of a program for libFuzzer report to it which code an input reaches (tests/fuzz).
# Clang 14 cannot compile coroutines with the sanitizer `function` (LLVM issue 49689).
if(TONEARM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize=function)
endif()
