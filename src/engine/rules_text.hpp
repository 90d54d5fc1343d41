// The rules documents that are built in (docs/rules): in a language, whole or clause by clause.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paika {

/// A document and the language that it is written in.
struct RulesText {
  std::string_view markdown;
  std::string language;
};

/// The rules of a game ("othello") in a language ("fr"), in English where there is no translation; nothing if the game
/// has no document here.
[[nodiscard]] std::optional<RulesText> rules_in(std::string_view game, std::string_view language);

/// The headings of the sections: "1 Board", "2 Moves".
[[nodiscard]] std::vector<std::string> section_titles(std::string_view markdown);

/// The text of a section ("2") or of a clause ("2.4") with what belongs to it, without blank lines around it; empty if
/// there is none.
[[nodiscard]] std::string clause_text(std::string_view markdown, std::string_view number);

}  // namespace paika
