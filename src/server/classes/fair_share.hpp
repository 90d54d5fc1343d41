// FairShare: who goes next where many want the same workers.
//
// Whoever waits belongs to a group at each of several levels, from the widest to the narrowest: a teacher, a class, a
// student. At each level the group goes next that has the fewest jobs at work and, among those, has used the least
// time. So nobody gets more by asking more often, by slower jobs or by opening more classes. A group that comes after
// a pause starts level with those that were served last: pausing neither saves up time nor costs any.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace paika::server {

class FairShare {
 public:
  using Path = std::vector<std::string>;  // the names of the groups, the widest first

  /// Which of those who wait goes next; of equals the first. Requires at least one; all paths have the same length.
  [[nodiscard]] std::size_t next(std::span<const Path> waiting) const;
  /// A job of these groups starts, and ends after so many seconds of work.
  void begin(const Path& path);
  void end(const Path& path, double seconds);

 private:
  struct Group {
    int running = 0;
    double used = 0;     // seconds
    double current = 0;  // what the member that was served last had used: where a newcomer starts
    std::map<std::string, Group, std::less<>> members;
  };

  Group root_;
};

}  // namespace paika::server
