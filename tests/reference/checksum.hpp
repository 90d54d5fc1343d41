// The checksum of a list of successors in tests/data/wildebeest_boards.txt.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"

namespace paika_reference {

/// FNV-1a 64 over the sorted lines `turn position\n`, as 16 digits.
inline std::string checksum(std::vector<Successor> successors) {
  std::sort(successors.begin(), successors.end());
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const Successor& s : successors) {
    for (const char c : s.turn + ' ' + s.position + '\n') {
      sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
  }
  std::ostringstream digits;
  digits << std::hex << std::setw(16) << std::setfill('0') << sum;
  return digits.str();
}

}  // namespace paika_reference
