# embed_files(OUTPUT NAME...): a C++ file with the texts of these files, for src/runtime/embedded.h.
function(embed_files output)
  set(rows "")
  foreach(name IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${name} text)
    string(APPEND rows "      {\"${name}\", R\"~embedded~(${text})~embedded~\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"runtime/embedded.h\"

namespace tonearm::builder {

const std::vector<EmbeddedFile>& embedded_files() {
  static const std::vector<EmbeddedFile> kFiles{
@rows@  };
  return kFiles;
}

}  // namespace tonearm::builder
")
endfunction()
