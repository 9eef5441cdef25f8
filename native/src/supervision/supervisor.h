#pragma once
// What a server tells the supervisor that started it: systemd's Type=notify. Without one nothing happens. HOST-32

namespace tonearm::native {

/// It serves now: after the start, and after a reload.
void tell_ready();
void tell_reloading();
void tell_stopping();

}  // namespace tonearm::native
