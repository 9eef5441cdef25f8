#pragma once
// A step that loses work when it is stopped may end by itself first.

namespace tonearm::builder {

/// While one lives, SIGINT and SIGTERM are noted instead of ending the program. Make it in one thread at a time; every
/// thread may ask. A second signal ends the program at once.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  bool came() const;

  /// Ends the program by the signal that came, as if nobody had noted it; returns where none came. Call it when what
  /// was to be saved is saved.
  void end_if_came() const;
};

}  // namespace tonearm::builder
