// Picture: a position as an SVG drawing, for pages, letters and print.
//
// The drawing is plain SVG without scripts, styles and links to anything outside, well-formed whatever the texts
// hold, the same for the same position, and small enough to be sent (below 200 KB on the largest boards). Title and
// description say to those who do not see it what is drawn. Nothing depends on colours alone: players differ in
// lightness, and in shape where pieces have letters; the last turn is told by arrows, crosses and rings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalogue.hpp"
#include "engine/game.hpp"

namespace paika {

enum class PictureTheme : unsigned char { wood, plain, dark };

/// "wood", "plain", "dark".
[[nodiscard]] std::string_view name(PictureTheme theme) noexcept;
/// The theme of that name, or nothing.
[[nodiscard]] std::optional<PictureTheme> theme_named(std::string_view word) noexcept;

struct PictureSettings {
  PictureTheme theme = PictureTheme::wood;
  bool flipped = false;      // turned by 180 degrees: the second player's view
  std::vector<Effect> last;  // what the turn did that led to the position; it is marked
};

/// The position of the session as it stands, as one SVG document. Title and description are in the language of the
/// catalogue.
[[nodiscard]] std::string picture_svg(const Session& session, const PictureSettings& settings,
                                      const Catalogue& catalogue = {});

/// `text` for XML and HTML, between tags and in attributes.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace paika
