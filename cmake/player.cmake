# The page of mcp-player/: its styles and scripts inside, their hashes in its policy.

# base64_of_hex(OUTPUT HEX): the bytes of a SHA-256, given in hex, as base64. CMake hashes only to hex.
function(base64_of_hex output hex)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  foreach(at RANGE 0 63 3)  # three hex digits are two of base64; the last group has only the 64th digit
    string(SUBSTRING "${hex}00" ${at} 3 digits)
    math(EXPR first "0x${digits} >> 6")
    math(EXPR second "0x${digits} & 63")
    string(SUBSTRING ${alphabet} ${first} 1 first)
    string(SUBSTRING ${alphabet} ${second} 1 second)
    string(APPEND text ${first}${second})
  endforeach()
  string(SUBSTRING ${text} 0 43 text)
  set(${output} "${text}=" PARENT_SCOPE)
endfunction()

# embed_player(OUTPUT FOLDER): writes a C++ file that defines tonearm::mcp::player_page() (core/src/mcp/player.h).
function(embed_player output folder)
  foreach(name player.html player.css host.js waveform.js player.js)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${name})
    file(READ ${folder}/${name} text_of_${name})
  endforeach()
  set(style "${text_of_player.css}")
  set(script "${text_of_host.js}${text_of_waveform.js}${text_of_player.js}")
  foreach(part style script)
    string(SHA256 hash "${${part}}")
    base64_of_hex(${part}_hash ${hash})
  endforeach()
  string(CONFIGURE "${text_of_player.html}" page @ONLY)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include <string_view>

#include \"mcp/player.h\"

namespace tonearm::mcp {

std::string_view player_page() { return R\"~page~(@page@)~page~\"; }

}  // namespace tonearm::mcp
")
endfunction()
