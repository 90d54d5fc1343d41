// Calls: functions that are to run on the network thread, soon or at a time.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "server/net/context.hpp"

namespace paika::server::net {

class Calls {
 public:
  explicit Calls(Context& context) : context_(context), timer_(context.executor()) {}

  /// From any thread; dropped after drop_all().
  void post(std::function<void()> call);
  /// On the network thread.
  void after(std::chrono::milliseconds time, std::function<void()> call);
  /// Destroys everything that has not run, and takes nothing more.
  void drop_all();

 private:
  void run_posted();
  void run_due();
  void set_timer();

  Context& context_;
  Timer timer_;
  std::multimap<SteadyClock::time_point, std::function<void()>> later_;
  std::mutex mutex_;  // for what follows
  std::vector<std::function<void()>> posted_;
  bool over_ = false;
};

}  // namespace paika::server::net
