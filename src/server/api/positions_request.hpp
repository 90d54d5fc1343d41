// What the routes about positions share: reading what a client sent, within bounds, and answering what is wrong.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/catalogue.hpp"
#include "engine/game.hpp"
#include "play/record.hpp"
#include "server/http/answers.hpp"
#include "server/http/route.hpp"

namespace paika::server {

inline constexpr std::size_t max_text_bytes = 10'000;     // of a field
inline constexpr std::size_t max_record_bytes = 200'000;  // of a text with game records
inline constexpr std::size_t max_moves = 2'000;           // of a game that is sent
inline constexpr std::size_t max_grid_rows = 100;         // of a board that is sent
inline constexpr std::size_t max_steps = 400;             // of a turn that is sent; the longest chain on 13x13 fits
inline constexpr std::size_t max_answer_bytes = 900'000;  // of a list of turns, about

/// What was asked for, or the response that says why not.
template <class T>
using Answer = tl::expected<T, Response>;

/// A value, or the 400 of its error.
template <class T>
[[nodiscard]] Answer<T> or_bad_request(Result<T> result) {
  if (!result) return tl::unexpected(bad_request(result.error()));
  return std::move(*result);
}
[[nodiscard]] tl::unexpected<Response> bad(const Error& error);

/// The query of a GET as an object of texts, so that it is read like a body.
[[nodiscard]] Json query_object(const Call& call);

/// A text of at most so many bytes; `missing` if it was not sent.
[[nodiscard]] Answer<std::string> read_text(const Json& object, std::string_view name, std::string_view missing = "",
                                            std::size_t most = max_text_bytes);
/// A list of texts; empty if it was not sent.
[[nodiscard]] Answer<std::vector<std::string>> read_texts(const Json& object, std::string_view name, std::size_t most);

/// A language that we have, from the field `lang`; English if it was not sent. Lives for ever.
struct Language {
  std::string code;
  const Catalogue* catalogue = nullptr;
};
[[nodiscard]] Answer<Language> read_language(const Json& object);
/// All of them, in the order of languages().
[[nodiscard]] const std::vector<Language>& all_languages();

/// The game of the field `spec`: 400 bad_spec if there is none. `position` may decide what the spec leaves open.
[[nodiscard]] Answer<GamePtr> read_game(const Json& object, std::string_view position = "");

/// A game that was sent, as it stands after its moves.
struct Played {
  std::unique_ptr<Session> session;
  Board start;
  std::vector<std::string> turns;  // canonical
};
/// The game of `spec` from the position of the field `start_field` (or its own start) after `moves`: 400 bad_spec, 422
/// bad_position or illegal (with the number of the move) if that cannot be.
[[nodiscard]] Answer<Played> read_played(const Json& object, std::string_view start_field);
/// The same with the position in `position`, if only the end of it matters.
[[nodiscard]] Answer<std::unique_ptr<Session>> read_session(const Json& object);
/// The text of a position that was set up as rows in the field `grid`, with the field `mover` to move: 422 bad_position
/// if there can be none. Empty if no grid was sent.
[[nodiscard]] Answer<std::string> read_grid(const Json& object);

/// How a game ended, from the field `result`; `missing`, or the parts of it, if it was not sent. Whether the rules
/// allow it is not looked at.
[[nodiscard]] Answer<play::GameResult> read_result(const Json& body, const play::GameResult& missing);

/// A list of steps as turn_json() writes them.
[[nodiscard]] Answer<Turn> read_steps(const Notation& notation, const Json& object, std::string_view name);

/// Why the rules refuse a turn, in a language.
[[nodiscard]] Json refusal_in(const Language& language, const Notation& notation, const Refusal& refusal);
/// 422 illegal with the clause, the rules' document and the squares; `more` is added to the error.
[[nodiscard]] Response illegal(const Language& language, const Notation& notation, const Refusal& refusal,
                               const Json& more = Json::object());
/// How the game stands, in a language.
[[nodiscard]] Json outcome_in(const Language& language, const Session& session);
/// No table of perfect play knows the position. Most games have none, which is no fault of who asks: this is an answer.
[[nodiscard]] Response no_values(const Session& session);
/// 404 not_found.
[[nodiscard]] Response not_found(const Error& error);

/// An answer that never changes while the program runs.
struct Page {
  Page(std::string media_type, std::string text, std::string of_language);
  std::string type;
  std::string body;
  std::string language;  // of its text; empty: none
  std::string etag;
};
/// The page, or 304 if the client has it.
[[nodiscard]] Response give(const Call& call, const Page& page);
/// Marks a response as one that is the same for the same request.
void keep_for_an_hour(Response& response);

}  // namespace paika::server
