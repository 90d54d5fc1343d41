// Writer: the thread that owns the store's writing connection, and commits what many rooms did at once.
//
// Committing waits for the disk. Jobs that came meanwhile are done in one transaction, so a thousand moves a second
// cost a few dozen commits. A job is heard of as done only after its commit: what was answered is committed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/store/store.hpp"

namespace paika::server {

class Writer {
 public:
  /// Runs on the writer's thread inside a transaction. What it throws undoes this job alone; but a fault of the
  /// machine (a full disk) can undo all the jobs that share a commit, which then fail with it.
  using Job = std::function<void(Store&)>;
  /// Nothing if the job is committed, else what failed. Called through `post`.
  using Done = std::function<void(const std::optional<std::string>& failure)>;
  /// Hands a function over to the thread that wants to hear of it.
  using Post = std::function<void(std::function<void()>)>;

  Writer(std::unique_ptr<Store> store, Post post);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  /// Does everything that was submitted, then ends; what is done from now on is not posted.
  ~Writer();

  /// Jobs are done in the order in which they are submitted, by any thread. The `done`s of one commit are posted in one
  /// call, in the same order.
  void submit(Job job, Done done);
  /// Does everything that was submitted and ends, `done` calls posted; later jobs fail.
  void finish();
  /// How many jobs wait, and how many commits there were; for the metrics.
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] std::uint64_t commits() const;
  /// True if this server has lost the store to another owner: nothing can be committed any more.
  [[nodiscard]] bool is_deposed() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
