# Tests by name and label: `ctest --preset dev -L unit`. They run existing programs and build nothing.

set(NODE ${CMAKE_SOURCE_DIR}/build-support/node_modules/.bin/node)

# labeled_test(NAME LABELS COMMAND...): adds a test with labels that runs in the root of the tree.
function(labeled_test name labels)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# A test for each program of tests/unit, so that they run in parallel. Tests that take seconds (suite "long") are separate.
file(STRINGS unit/programs.txt rows REGEX "^[^#]")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^[a-z-]+" name "${row}")
  labeled_test(unit.${name} "unit;quick" tonearm-unit-${name} --test-suite-exclude=long)
  labeled_test(unit.${name}.long unit tonearm-unit-${name} --test-suite=long)
endforeach()
labeled_test(unit.credits_markdown unit ${NODE} --test tests/unit/domain/credits_markdown_test.mjs)

labeled_test(structure structure ${NODE} tests/structure/check.mjs)

labeled_test(http.loop http tonearm-http-tests)
labeled_test(http.server http ${NODE} --test tests/http/server_test.mjs tests/http/backup_test.mjs tests/http/state_test.mjs)
set_tests_properties(http.server PROPERTIES ENVIRONMENT TONEARM_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})

labeled_test(command-line command-line ${NODE} --test tests/command-line/commands_test.mjs tests/command-line/credits_test.mjs)
set_tests_properties(command-line PROPERTIES ENVIRONMENT TONEARM_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})

# The core writes the transcript that the other tests replay.
cmake_path(RELATIVE_PATH CMAKE_BINARY_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE build)
labeled_test(cases.core cases tonearm-cases)
labeled_test(cases.native cases ${NODE} tests/cases/run_native.mjs --build ${build})
labeled_test(cases.openapi cases ${NODE} tests/cases/check_openapi.mjs --build ${build})
labeled_test(cases.mcp cases ${NODE} tests/cases/check_mcp.mjs --build ${build})
set_tests_properties(cases.core PROPERTIES FIXTURES_SETUP transcript)
set_tests_properties(cases.native cases.openapi PROPERTIES FIXTURES_REQUIRED transcript)

if(TARGET tonearm-with-postgresql)
  labeled_test(postgresql.state postgresql tonearm-with-postgresql $<TARGET_FILE:tonearm-postgresql-tests>)
  labeled_test(postgresql.cases postgresql
    tonearm-with-postgresql $<TARGET_FILE:tonearm-cases> --output ${CMAKE_BINARY_DIR}/cases-postgresql)
endif()
