// Games of Fanorona by the class protocol (docs/rules/fanorona.md, section 6), as server and as client.
//
// A game is played by the referee (play/referee.hpp): the peer is a player like others, whose turns come over the
// network. Both ends judge every turn and every time. The server's word ends the game; a client that finds an illegal
// or late turn of the server says so and leaves.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "play/game_player.hpp"
#include "play/referee.hpp"
#include "protocols/class_protocol.hpp"
#include "protocols/fanorona_peer.hpp"

namespace paika::protocols {

enum class ClassRole : unsigned char { server, client };

/// How patient we are with a peer.
struct ClassPatience {
  Milliseconds to_start{30'000};   // for the greetings
  Milliseconds margin{150};        // a turn may be so much later than its limit, for the network
  Milliseconds to_think{600'000};  // a turn where the game has no limit of time
};

/// The spec of the class's game on such a board: "fanorona:9x5". An error says what is wrong with the size.
[[nodiscard]] Result<GamePtr> open_class_game(const ClassGame& game);

/// Server: greets a client and waits until it is ready.
[[nodiscard]] Result<void> greet(ClassPeer& peer, const ClassGame& game, const ClassPatience& patience,
                                 const std::stop_token& stop);

/// Client: waits for the server's greeting, answers it, and waits for the beginning.
[[nodiscard]] Result<ClassGame> be_greeted(ClassPeer& peer, const ClassPatience& patience, const std::stop_token& stop);

/// One of us in a game.
struct ClassSide {
  play::GamePlayer& game_player;
  SearchLimits limits;       // its own, beside the game's limit of time
  bool full_chains = false;  // it goes on capturing as long as it can
  /// Is told each turn that was played, in the game's own text.
  std::function<void(Player player, std::string_view turn)> on_turn{};
};

struct ClassReport {
  play::GameReport game;
  /// The game did not come to an end that both can know: the peer hung up or talked nonsense, or we were stopped.
  bool broke_off = false;
  std::string sentence;  // how it ended, for people
};

/// Plays a game after the greetings, tells the peer how it ended, and hangs up. `rules` is the game that our player
/// was made for, as open_class_game gives it.
[[nodiscard]] ClassReport play_class_game(ClassPeer& peer, ClassRole role, const ClassGame& game, const GamePtr& rules,
                                          const ClassSide& us, const ClassPatience& patience,
                                          const std::stop_token& stop);

}  // namespace paika::protocols
