# Optimized builds compile a module (a folder of sources) as one file: the compiler reads each header once and instantiates
# each template once. docs/adr/0047-modules-are-compiled-as-one-file.md
option(TONEARM_WHOLE_MODULES "Compile each folder of sources as one file" OFF)

# Files whose anonymous namespace has a name that another file of the module uses too; they are compiled separately.
# The main function of tests compiles doctest itself.
set(COMPILED_ALONE
  "core/src/api/(requests/body|requests/body_fields|resources/collection_items)\\.cpp"
  "core/src/domain/collection\\.cpp"
  "core/src/catalog/index/(tempo_order|term_index)\\.cpp"
  "core/src/(table|reflection)/.*"
  "catalog-builder/src/similar/neighbors_vectors\\.cpp"
  "tests/postgresql/main\\.cpp")

# whole_modules(TARGET): call it when the target has all of its sources.
function(whole_modules target)
  if(NOT TONEARM_WHOLE_MODULES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ warns because it treats the file that includes all others as a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  list(JOIN COMPILED_ALONE "|" alone)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "TARGET_OBJECTS|/generated/")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
    if(NOT path MATCHES "^(${alone})$")
      cmake_path(GET path PARENT_PATH module)
      string(REPLACE "/" "_" module ${module})
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${module})
    endif()
  endforeach()
endfunction()
