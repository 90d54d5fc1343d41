// What is inside a Store, for the files that implement its parts.
#pragma once

#include <optional>
#include <string>

#include "play/glicko.hpp"
#include "server/store/database.hpp"
#include "server/store/files.hpp"
#include "server/store/owner_lock.hpp"
#include "server/store/store.hpp"

namespace paika::server {

class Store::Impl {
 public:
  Impl(std::string path, const std::string& real_path, Mode mode, std::optional<OwnerLock> held)
      : lock(std::move(held)), name(std::move(path)), database(real_path, mode) {}

  std::optional<OwnerLock> lock;  // first: it is given back after the file was closed
  std::string name;               // of the file, as it was given
  Database database;
  FileIdentity file = file_identity(database.path());  // that was opened
  PersonId looked_at = 0;                              // the guest where drop_idle_guests() goes on
};

/// The name of a person who was erased.
inline constexpr std::string_view erased_name = "deleted";

/// A rating after one game. It never becomes so sure that it stops moving.
[[nodiscard]] play::Rating after_game(const play::Rating& rating, const play::Rating& opponent, double score);

/// An event's text without a person: his names become "deleted", what he said is gone. `is_own`: the event is an act
/// of this person. The same text if there is nothing to change.
[[nodiscard]] std::string without_person(const std::string& text, std::span<const std::string> names, bool is_own);

}  // namespace paika::server
