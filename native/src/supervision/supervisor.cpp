#include "supervision/supervisor.h"

#include <systemd/sd-daemon.h>

namespace tonearm::native {

void tell_ready() { sd_notify(0, "READY=1"); }
void tell_reloading() { sd_notify(0, "RELOADING=1"); }
void tell_stopping() { sd_notify(0, "STOPPING=1"); }

}  // namespace tonearm::native
