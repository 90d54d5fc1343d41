// Repositories: where the members of classes push to, one for each member of a class, in a folder beside the database.
//
// A repository is CLASS/PERSON.git, so that no name which people choose is part of a path. It is made when its owner
// first asks for it, and removed when the class, the membership or the account is gone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/result.hpp"
#include "server/store/classes.hpp"

namespace paika::server {

/// May be used by several threads.
class Repositories {
 public:
  /// The folder is made when it is needed.
  /// Git is run in another folder, so it is told whole paths.
  explicit Repositories(const std::string& folder) : folder_(std::filesystem::absolute(folder).string()) {}

  /// Where the repository is, as `git http-backend` names it under folder().
  [[nodiscard]] static std::string name_of(const ClassId& class_id, PersonId person);
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  /// The folder of the hooks, in which the program at `self` is what runs before something is taken.
  [[nodiscard]] std::string hooks() const { return folder_ + "/hooks"; }

  [[nodiscard]] bool has(const ClassId& class_id, PersonId person) const;
  /// Makes the repository, empty, unless it is there. Requires find_git().
  [[nodiscard]] Result<void> make(const ClassId& class_id, PersonId person);
  /// How much the repository takes on the disk.
  [[nodiscard]] std::size_t bytes(const ClassId& class_id, PersonId person) const;
  /// Joins the packs of a repository if there are many. Requires that nobody pushes.
  void tidy(const ClassId& class_id, PersonId person);

  /// A use of a repository: while there is one, it is not removed.
  class Use {
   public:
    Use(Repositories& of, std::string name);
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use();
    /// True if this use is now the only one that may change the repository, until it ends.
    [[nodiscard]] bool begin_push();

   private:
    Repositories& of_;
    std::string name_;
    bool pushing_ = false;
  };
  [[nodiscard]] std::unique_ptr<Use> use(const ClassId& class_id, PersonId person);

  /// Removes what belongs to nobody any more, and what pushes left that were cut off.
  void sweep(ClassStore& classes);

 private:
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] Result<void> make_hooks();

  std::string folder_;
  mutable std::mutex mutex_;
  std::multiset<std::string> used_;
  std::set<std::string> pushed_;
};

/// The name under which git starts our hook.
inline constexpr const char* hook_name = "pre-receive";

}  // namespace paika::server
