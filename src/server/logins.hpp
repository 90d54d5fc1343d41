// LoginThrottle: how fast passwords may be guessed.
//
// One address has a few tries at one name, then it takes patience: that stops a guesser and nobody else, for the owner
// comes from another address or has a session. Against many addresses that guess at one name, each try from an address
// where nobody has logged in to that name waits longer the more of them there were. The owner's usual addresses never
// wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/limits.hpp"

namespace paika::server {

/// To be used by one thread.
class LoginThrottle {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `factor` raises all limits.
  explicit LoginThrottle(double factor = 1);

  /// What is to be done with a try: refused for so long, or delayed by so much (zero: tried at once).
  struct Decision {
    std::optional<std::chrono::milliseconds> refused;
    std::chrono::milliseconds delay{0};
    bool crowded = false;  // many addresses that are strange to the name have tried it: one turn is enough for them
  };
  /// Each try that is not refused ends with end().
  [[nodiscard]] Decision begin(std::string_view address, std::string_view name, Time now);
  /// `right`: the password was, and the address is one of the name's own from now on.
  void end(const Decision& decision, std::string_view address, std::string_view name, bool right);

 private:
  /// What addresses that are strange to a name have tried.
  struct Strangers {
    double tries = 0;  // goes down with time
    Time at;
    int waiting = 0;  // those that are delayed
  };
  [[nodiscard]] Decision delay_stranger(const std::string& name, Time now);

  double factor_;
  Limiter pairs_;                // of an address and a name
  LruMap<char> own_;             // pairs that were right
  LruMap<Strangers> strangers_;  // by name
};

}  // namespace paika::server
