#include "server/git/repositories.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <vector>

#include "base/text.hpp"
#include "server/git/git_program.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".git";
constexpr std::ptrdiff_t many_packs = 20;
constexpr std::chrono::minutes time_to_tidy(2);
constexpr mode_t private_folder = 0700;

/// The names in a folder; none if it is not there.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  return names;
}

/// True of the folders in which git receives objects until they are taken.
bool is_quarantine(std::string_view name) { return name.starts_with("tmp_objdir-") || name.starts_with("incoming-"); }

}  // namespace

std::string Repositories::name_of(const ClassId& class_id, PersonId person) {
  return fmt::format("{}/{}{}", class_id, person, ending);
}

bool Repositories::has(const ClassId& class_id, PersonId person) const {
  std::error_code error;
  return fs::is_directory(path_of(name_of(class_id, person)), error);
}

Result<void> Repositories::make(const ClassId& class_id, PersonId person) {
  const std::scoped_lock lock(mutex_);
  if (auto made = make_hooks(); !made) return made;
  if (has(class_id, person)) return {};
  const std::string path = path_of(name_of(class_id, person));
  const std::string unfinished = path + ".new";
  std::error_code error;
  fs::remove_all(unfinished, error);
  fs::create_directories(unfinished, error);
  if (error) return fail("the repository cannot be created: {}", error.message());
  ::chmod(path_of(class_id).c_str(), private_folder);
  const auto run =
      run_git({.words = {"init", "--quiet", "--bare", "--template=", "--initial-branch=main", unfinished}});
  if (!run) return tl::unexpected(run.error());
  if (run->status != 0) return fail("the repository cannot be created: {}", trimmed(run->errors));
  fs::rename(unfinished, path, error);
  if (error) return fail("the repository cannot be created: {}", error.message());
  return {};
}

Result<void> Repositories::make_hooks() {
  std::error_code error;
  const fs::path link = fs::path(hooks()) / hook_name;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return fail("this program cannot be found: {}", error.message());
  if (fs::read_symlink(link, error) == self) return {};
  fs::create_directories(hooks(), error);
  ::chmod(folder_.c_str(), private_folder);
  const fs::path fresh = link.string() + ".new";
  fs::remove(fresh, error);
  fs::create_symlink(self, fresh, error);
  fs::rename(fresh, link, error);
  if (error) return fail("the hook of the repositories cannot be created: {}", error.message());
  return {};
}

std::size_t Repositories::bytes(const ClassId& class_id, PersonId person) const {
  std::uintmax_t sum = 0;
  std::error_code error;
  fs::recursive_directory_iterator it(path_of(name_of(class_id, person)), error);
  for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (it->is_regular_file(gone)) sum += it->file_size(gone);
  }
  return static_cast<std::size_t>(sum);
}

void Repositories::tidy(const ClassId& class_id, PersonId person) {
  const std::string path = path_of(name_of(class_id, person));
  const auto names = names_in(path + "/objects/pack");
  const auto packs =
      std::count_if(names.begin(), names.end(), [](const auto& name) { return name.ends_with(".pack"); });
  if (packs < many_packs) return;
  // If it fails, the packs stay as they are, which is fine too.
  static_cast<void>(run_git({.words = {"repack", "-a", "-d", "-q"}, .folder = path}, {}, std::size_t{1} << 16,
                            std::chrono::duration_cast<std::chrono::seconds>(time_to_tidy)));
}

Repositories::Use::Use(Repositories& of, std::string name) : of_(of), name_(std::move(name)) {
  const std::scoped_lock lock(of_.mutex_);
  of_.used_.insert(name_);
}

Repositories::Use::~Use() {
  const std::scoped_lock lock(of_.mutex_);
  of_.used_.extract(name_);
  if (pushing_) of_.pushed_.erase(name_);
}

bool Repositories::Use::begin_push() {
  const std::scoped_lock lock(of_.mutex_);
  if (!pushing_) pushing_ = of_.pushed_.insert(name_).second;
  return pushing_;
}

std::unique_ptr<Repositories::Use> Repositories::use(const ClassId& class_id, PersonId person) {
  return std::make_unique<Use>(*this, name_of(class_id, person));
}

void Repositories::sweep(ClassStore& classes) {
  const std::scoped_lock lock(mutex_);
  std::error_code error;
  for (const std::string& class_id : names_in(folder_)) {
    if (class_id == fs::path(hooks()).filename()) continue;
    const bool there = classes.find(class_id).has_value();
    for (const std::string& name : names_in(path_of(class_id))) {
      if (used_.contains(fmt::format("{}/{}", class_id, name))) continue;
      const std::string path = path_of(class_id) + "/" + name;
      const auto person = parse_int(std::string_view(name).substr(0, name.find('.')));
      const bool owned = there && person && name == fmt::format("{}{}", *person, ending);
      if (!owned || !classes.member(class_id, *person)) {
        fs::remove_all(path, error);
        continue;
      }
      for (const std::string& left : names_in(path + "/objects")) {
        if (is_quarantine(left)) fs::remove_all(fmt::format("{}/objects/{}", path, left), error);
      }
    }
    if (!there) fs::remove(path_of(class_id), error);  // unless one of its repositories is in use
  }
}

}  // namespace paika::server
