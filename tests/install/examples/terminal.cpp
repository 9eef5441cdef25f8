// Escapes a title for a terminal.
#include <tonearm/terminal.h>

int main() { return tonearm::terminal::line("rain\x1b[2J\n") == "rain\\u001b[2J\\u000a" ? 0 : 1; }
