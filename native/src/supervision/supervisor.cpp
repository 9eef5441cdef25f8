#include "supervision/supervisor.h"

#include <systemd/sd-daemon.h>

namespace tonearm::native {

void notify_ready() { sd_notify(0, "READY=1"); }
void notify_reloading() { sd_notify(0, "RELOADING=1"); }
void notify_stopping() { sd_notify(0, "STOPPING=1"); }

}  // namespace tonearm::native
