// Writes a message and reads it with checks. `bytes` returns views into the message.
#include <tonearm/message.h>

int main() {
  tonearm::MessageWriter writer;
  writer.number(7);
  writer.text("rain");
  const std::string message = writer.take();
  tonearm::MessageReader reader(message);
  const bool right = reader.number() == 7 && reader.text(100) == "rain" && reader.is_complete();
  tonearm::MessageReader cut(std::string_view(message).substr(0, 6));
  (void)cut.number();
  return right && cut.text(100).empty() && cut.is_malformed() ? 0 : 1;
}
