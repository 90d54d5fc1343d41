// Demonstrations: short games with a caption before each turn, from text files that anybody can write.
//
// docs/demos.md describes the format. Reading plays the turns by the rules and checks what the file expects
// of them, so a demonstration that was read shows what it says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game.hpp"

namespace paika::play {

/// A text in several languages.
class LocalText {
 public:
  /// Adds a line; `language` is a code such as "fr", "en" for the one without.
  void add(std::string_view language, std::string_view line);
  /// The text in the language; in English where the file has no other.
  [[nodiscard]] const std::string& in(std::string_view language) const;
  [[nodiscard]] bool has(std::string_view language) const { return texts_.contains(language); }
  [[nodiscard]] bool empty() const { return texts_.empty(); }

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

/// A caption, and then one turn, or one that the rules refuse, or nothing (the last words).
struct DemoStep {
  LocalText caption;               // may be empty
  std::optional<Turn> turn;        // legal
  std::optional<Turn> refused;     // shown with the refusal
  std::string text;                // canonical, of the turn or the refused one
  std::optional<Refusal> refusal;  // of the refused one
};

struct Demo {
  std::string name;  // of the file, without ".demo"
  LocalText title;
  GamePtr game;
  Board start;
  std::vector<DemoStep> steps;
};

/// Reads and checks a demonstration. An error names the line.
[[nodiscard]] Result<Demo> read_demo(std::string_view name, std::string_view text);

/// The names of the demonstrations that are built in, in the order people see them.
[[nodiscard]] std::vector<std::string> demo_names();
/// A demonstration that is built in; an error lists the names.
[[nodiscard]] Result<Demo> find_demo(std::string_view name);

}  // namespace paika::play
