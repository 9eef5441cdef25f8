#pragma once
// Finds license changes and delivers them to webhooks (WEB-46, WEB-47). Two threads, because receivers may be slow.

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "oauth/client_documents.h"
#include "routes/site.h"

namespace tonearm::web {

class WebhookJobs {
 public:
  /// `is_ready`: whether the API answers. `open_web` is called once.
  WebhookJobs(Site& site, const std::atomic<bool>& is_ready, ClientDocuments::OpenWeb open_web);

  /// Sends the messages that are due, and records the responses that have arrived. Takes about a second at most: a
  /// receiver that does not answer delays only its own messages. Called periodically by one thread. Does not throw.
  void send_messages();
  /// Adds a message for each new license change of the webhooks that are due. Called periodically by one thread. Does
  /// not throw.
  void find_changes();
  /// Ends a running `find_changes` after one webhook.
  void stop() { is_stopping_ = true; }

 private:
  /// Reports a failure of a job once, until the job succeeds.
  struct Job {
    std::string failing;  // "webhooks are delayed: "
    bool is_failure_reported = false;
  };
  template <class Work>
  void run(Job& job, const Work& work);
  /// Returns whether there were any.
  bool start_due_messages();
  void send_and_receive();

  Site& site_;
  const std::atomic<bool>& is_ready_;
  std::atomic<bool> is_stopping_{false};
  const ClientDocuments::OpenWeb open_web_;
  std::unique_ptr<public_web::Web> web_;
  std::map<std::size_t, WebhookDelivery> sending_;  // by ticket
  std::size_t next_ticket_ = 0;
  Job sender_{"webhooks are delayed: "};
  Job finder_{"license changes are reported later: "};
};

}  // namespace tonearm::web
