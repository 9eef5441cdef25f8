# embed_files(OUTPUT NAMESPACE NAME...): writes a C++ file that defines NAMESPACE::embedded_files() with the texts of these
# files (native/src/files/embedded_file.h).
function(embed_files output namespace)
  set(rows "")
  foreach(name IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${name} text)
    string(APPEND rows "      {\"${name}\", R\"~embedded~(${text})~embedded~\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include <vector>

#include \"files/embedded_file.h\"

namespace @namespace@ {

std::span<const native::EmbeddedFile> embedded_files() {
  static const std::vector<native::EmbeddedFile> kFiles{
@rows@  };
  return kFiles;
}

}  // namespace @namespace@
")
endfunction()
