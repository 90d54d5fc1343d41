// Lobby: where people find opponents: pairing those who look for the same game, and showing everybody, live, who waits.
//
// It lives on the network thread. Who looks for a game does so over a web socket: when that goes, so does the wish.
// Nothing of it is stored; what is paired becomes a room like any other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/json.hpp"
#include "server/hub.hpp"
#include "server/seek_queue.hpp"

namespace paika::server {

/// What a lobby needs of the world around it. All of it outlives the lobby.
struct LobbyDeps {
  Hub& hub;
  BackgroundReader& readers;
  Log& log;
};

class Lobby {
 public:
  using SeekDone = std::function<void(const tl::expected<SeekId, Refused>&)>;
  using PairDone = std::function<void(const tl::expected<RoomId, Refused>&)>;

  explicit Lobby(LobbyDeps deps);

  /// Looks for an opponent until there is one, or until the subscriber has gone. Whoever is paired is sent
  /// {"paired": {"room": NAME}}. Refused: too many look for games from this address, or the storage fails.
  void seek(const RoomPlan& plan, const Identity& who, const Client& client,
            const std::shared_ptr<Subscriber>& subscriber, const SeekDone& done);
  /// Plays whoever waits there, at once and whatever the ratings.
  void accept(SeekId id, const Identity& who, const Client& client, const PairDone& done);
  /// The subscriber's owner looks for nothing any more.
  void cancel(const Subscriber* subscriber);

  /// Sends the lobby to a subscriber now and whenever it changes, at most once per second: {"lobby": …}.
  void watch(const std::shared_ptr<Subscriber>& subscriber);
  void leave(const Subscriber* subscriber);
  /// The lobby as it stands: {"seeks": [{seek, name, member, rating, spec, clock, rated} …]}; the open rooms follow.
  [[nodiscard]] Json seeks_json() const;

  /// Rooms that are listed have changed.
  void rooms_changed() { rooms_due_ = true; }
  /// Pairs those whose ratings are near enough by now, and sends what has changed; every few dozen milliseconds.
  void tick();
  [[nodiscard]] SeekQueue& queue() noexcept { return queue_; }

 private:
  void add(Seek seek, const std::shared_ptr<Subscriber>& subscriber, const SeekDone& done);
  void pair_all();
  void open(const Seek& one, const Seek& two, const PairDone& done);
  void read_rooms();
  void send_all();
  [[nodiscard]] std::shared_ptr<const std::string> message() const;

  LobbyDeps deps_;
  SeekQueue queue_;
  std::unordered_map<SeekId, std::shared_ptr<Subscriber>> seekers_;
  std::vector<std::shared_ptr<Subscriber>> watchers_;
  std::string rooms_ = "[]";  // the open rooms, as JSON
  bool rooms_due_ = true;     // they are to be read again
  bool reading_ = false;
  bool changed_ = false;  // those who watch are to be told
  ServerTime paired_{0};  // when it was last looked for pairs, and when the lobby was last sent
  ServerTime sent_{0};
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // callbacks look whether we still live
};

/// The open rooms that are listed, newest first, with the ratings of those who wait there: a list of RoomRow.
[[nodiscard]] Json open_rooms_json(Store& store);

}  // namespace paika::server
