# Debian packages by CPack: `cmake --build --preset release --target debian-packages`. packaging/README.md lists their
# contents. (CPack's own target `package` would build the tests and benchmarks first.)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(PACKAGED_PROGRAMS tonearm-server tonearm-admin tonearm-catalog tonearm-demo tonearm-web tonearm)
set(SITE_DIR ${PROJECT_SOURCE_DIR}/build/site)  # Vite's output for web-demo-server/site; if it is missing, the package has no page
install(TARGETS ${PACKAGED_PROGRAMS} RUNTIME DESTINATION bin COMPONENT runtime)
install(FILES packaging/server.toml packaging/web.toml DESTINATION /etc/tonearm COMPONENT runtime)
install(DIRECTORY ${SITE_DIR}/ DESTINATION share/tonearm/site COMPONENT runtime)
install(FILES packaging/systemd/tonearm-server.service packaging/systemd/tonearm-web.service DESTINATION /lib/systemd/system COMPONENT runtime)
file(READ LICENSE LICENSE_TEXT)
configure_file(packaging/debian/copyright.in ${CMAKE_BINARY_DIR}/packaged/copyright @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/packaged/copyright DESTINATION share/doc/tonearm COMPONENT runtime)

# The manual pages and completions that the programs print.
foreach(program ${PACKAGED_PROGRAMS})
  set(page ${CMAKE_BINARY_DIR}/packaged/${program}.1.gz)
  set(completion ${CMAKE_BINARY_DIR}/packaged/${program}.bash)
  add_custom_command(OUTPUT ${page} ${completion}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/packaged
    COMMAND sh -c "\"$1\" --man | gzip -9n >\"$2\" && \"$1\" --completion >\"$3\"" sh $<TARGET_FILE:${program}> ${page} ${completion}
    DEPENDS ${program} VERBATIM)
  list(APPEND PRINTED_FILES ${page} ${completion})
  install(FILES ${page} DESTINATION share/man/man1 COMPONENT runtime OPTIONAL)
  install(FILES ${completion} DESTINATION share/bash-completion/completions RENAME ${program} COMPONENT runtime OPTIONAL)
endforeach()
add_custom_target(packaged_files DEPENDS ${PRINTED_FILES})

# The demo, if ./run has composed it.
set(DEMO_DIR ${PROJECT_SOURCE_DIR}/build/run/demo CACHE PATH "The output of tonearm-catalog demo, for the package tonearm-demo")
install(FILES ${DEMO_DIR}/catalog.sqlite DESTINATION share/tonearm/demo COMPONENT demo OPTIONAL)
install(DIRECTORY ${DEMO_DIR}/media DESTINATION share/tonearm/demo COMPONENT demo OPTIONAL)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime)
if(EXISTS ${DEMO_DIR}/catalog.sqlite)
  list(APPEND CPACK_COMPONENTS_ALL demo)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME tonearm)
set(CPACK_PACKAGE_VENDOR Tonearm)
set(CPACK_PACKAGE_CONTACT "Tonearm <tonearm@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME tonearm)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "API and web site for a catalog of free music and sounds
 Searches Creative Commons music and sound effects, says what each license
 allows and whom to credit, and keeps collections with license evidence.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS tonearm-demo)
# The automatic dependencies do not include what is loaded when a sound is fingerprinted, and the programs that decode a film.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libchromaprint1, ffmpeg")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DEMO_PACKAGE_NAME tonearm-demo)
set(CPACK_DEBIAN_DEMO_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEMO_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEMO_DESCRIPTION "catalog of music and sounds to hear, for tonearm
 Pieces that Tonearm composed, and recordings under CC0 and CC BY.")
include(CPack)

add_custom_target(debian-packages
  COMMAND sh -c "[ -d \"$1/assets\" ] || { echo \"$1 has no page; ./run builds it\" >&2; exit 1; }" sh ${SITE_DIR}
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${CMAKE_BINARY_DIR}/CPackConfig.cmake -B ${CMAKE_BINARY_DIR}/packages
  DEPENDS packaged_files ${PACKAGED_PROGRAMS} VERBATIM)
