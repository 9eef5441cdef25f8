#pragma once
// Notifies the supervisor that started the server: systemd's Type=notify (HOST-32). Without a supervisor, the calls do
// nothing.

namespace tonearm::native {

/// Call it when the server serves, after the start and after a reload.
void notify_ready();
void notify_reloading();
void notify_stopping();

}  // namespace tonearm::native
