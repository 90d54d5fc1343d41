// The channel between the watcher and process 1 of its sandbox: a socket that keeps the bounds of messages.
//
// The order comes by it rather than by the command line, which everything inside could read. Process 1 answers with
// what only it can open, and from then on the watcher says single words, each of which is answered when it is done.
#pragma once

#include <array>
#include <optional>
#include <sys/types.h>

#include "sandbox/confine.hpp"

namespace paika::sandbox {

/// `ended` is the one that process 1 says first, when the program has ended; it waits for the same word.
enum class ChannelWord : char { go = 'g', pause = 'p', resume = 'r', ended = 'e' };

/// What process 1 shows of the sandbox.
struct Hello {
  pid_t process = -1;  // its number outside
  int proc = -1;       // the sandbox's /proc
  int tmp = -1;        // the only place that can be written
};

/// The two ends, the watcher's first.
[[nodiscard]] std::optional<std::array<int, 2>> open_channel();

[[nodiscard]] bool send_order(int channel, const ConfineOrder& order);
[[nodiscard]] std::optional<ConfineOrder> receive_order(int channel);

[[nodiscard]] bool send_hello(int channel, int proc, int tmp);
[[nodiscard]] std::optional<Hello> receive_hello(int channel);

[[nodiscard]] bool send_word(int channel, ChannelWord word);
/// Nothing if the other end is gone.
[[nodiscard]] std::optional<ChannelWord> receive_word(int channel);

}  // namespace paika::sandbox
