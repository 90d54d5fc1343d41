#include "engine/picture.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "engine/effect_text.hpp"
#include "engine/picture_style.hpp"

namespace paika {

namespace {

constexpr int cell = picture_cell;
constexpr int margin = 36;  // for letters and numbers, around the board
constexpr std::array<PictureTheme, 3> themes = {PictureTheme::wood, PictureTheme::plain, PictureTheme::dark};

struct Spot {
  int x = 0;
  int y = 0;
};

class Painter {
 public:
  Painter(const Session& session, const PictureSettings& settings, const Catalogue& catalogue)
      : session_(session),
        notation_(session.notation()),
        board_(session.board()),
        settings_(settings),
        catalogue_(catalogue),
        style_(style_of(notation_, settings.theme)) {}

  std::string paint() {
    begin();
    out_ += definitions(style_, settings_.flipped);
    ground();
    labels();
    marks_below();
    pieces();
    marks_above();
    return std::move(out_) + "</svg>\n";
  }

 private:
  [[nodiscard]] int cols() const { return board_.cells.cols(); }
  [[nodiscard]] int rows() const { return board_.cells.rows(); }
  [[nodiscard]] int width() const { return cols() * cell + 2 * margin; }
  [[nodiscard]] int height() const { return rows() * cell + 2 * margin; }
  [[nodiscard]] Square shown(Square s) const {
    return settings_.flipped ? Square{cols() - 1 - s.col, rows() - 1 - s.row} : s;
  }
  [[nodiscard]] Spot centre(Square s) const {
    const Square at = shown(s);
    return {margin + at.col * cell + cell / 2, margin + at.row * cell + cell / 2};
  }
  [[nodiscard]] const Palette& colours() const { return style_.palette; }

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void begin() {
    put(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" )"
        R"(aria-labelledby="{2}title {2}desc">)"
        "\n",
        width(), height(), style_.prefix);
    const std::string game = catalogue_.say(phrase_of(session_.game().info().title));
    put("<title id=\"{}title\">{} ({}). {}</title>\n", style_.prefix, xml_escaped(game), xml_escaped(notation_.spec()),
        xml_escaped(catalogue_.say(state_phrase(session_))));
    put("<desc id=\"{}desc\">{}</desc>\n", style_.prefix, xml_escaped(description()));
  }

  /// What stands where, a sentence a player, and what the last turn did.
  [[nodiscard]] std::string description() const {
    std::string text;
    for (const Player p : {Player::first, Player::second}) {
      text += fmt::format("{}:", catalogue_.say(player_phrase(notation_, p)));
      board_.cells.for_each_square([&](Square s) {
        if (!board_.cells[s].belongs_to(p)) return;
        const std::string kind = style_.letters() ? catalogue_.say(notation_.kind_phrase(board_.cells[s])) + " " : "";
        text += fmt::format(" {}{},", kind, notation_.coordinates().name(s));
      });
      text.back() = '.';
      text += ' ';
    }
    return text + fmt::format("{}.", notation_.position_text(board_));
  }

  // ---- The board ----

  void ground() {
    put(R"(<rect width="{}" height="{}" rx="12" fill="{}"/>)"
        "\n",
        width(), height(), colours().frame);
    put(R"(<rect x="{0}" y="{0}" width="{1}" height="{2}" fill="{3}" stroke="{4}" stroke-width="2"/>)"
        "\n",
        margin, cols() * cell, rows() * cell, colours().board, colours().line);
    switch (style_.ground) {
      case Ground::points: points(); break;
      case Ground::hollows: hollows(); break;
      case Ground::grid: grid(); break;
      case Ground::chequered: chequers(); break;
    }
  }

  /// Lines are drawn whole, from where they begin to where they end.
  void points() {
    put(R"(<path fill="none" stroke="{}" stroke-width="3" stroke-linecap="round" d=")", colours().line);
    for (const Direction d : {Direction::e, Direction::s, Direction::se, Direction::sw}) {
      board_.cells.for_each_square([&](Square s) {
        if (notation_.joined(step(s, opposite(d)), s) || !notation_.joined(s, step(s, d))) return;
        Square end = s;
        while (notation_.joined(end, step(end, d))) end = step(end, d);
        put("M{} {}L{} {}", centre(s).x, centre(s).y, centre(end).x, centre(end).y);
      });
    }
    out_ += "\"/>\n";
  }

  /// One row is drawn and used again for the others: large boards stay small in bytes.
  void hollows() {
    put(R"(<g id="{}row" fill="{}" stroke="{}" stroke-opacity="0.4" stroke-width="2">)", style_.prefix, colours().shade,
        colours().line);
    for (int col = 0; col < cols(); ++col) {
      put(R"(<circle cx="{}" cy="{}" r="25"/>)", margin + col * cell + cell / 2, margin + cell / 2);
    }
    out_ += "</g>\n";
    for (int row = 1; row < rows(); ++row) put(R"(<use href="#{}row" y="{}"/>)", style_.prefix, row * cell);
    out_ += '\n';
  }

  void grid() {
    put(R"(<path stroke="{}" stroke-width="2" d=")", colours().line);
    for (int col = 1; col < cols(); ++col) put("M{} {}v{}", margin + col * cell, margin, rows() * cell);
    for (int row = 1; row < rows(); ++row) put("M{} {}h{}", margin, margin + row * cell, cols() * cell);
    out_ += "\"/>\n";
    if (cols() < 8 || rows() < 8) return;
    for (const int x : {2, cols() - 2}) {  // the four dots that boards of this kind have
      for (const int y : {2, rows() - 2}) {
        put(R"(<circle cx="{}" cy="{}" r="6" fill="{}"/>)", margin + x * cell, margin + y * cell, colours().line);
      }
    }
    out_ += '\n';
  }

  void chequers() {
    put(R"(<path fill="{}" d=")", colours().shade);
    for (int row = 0; row < rows(); ++row) {
      for (int col = (row + 1) % 2; col < cols(); col += 2) {
        put("M{} {}h{}v{}h-{}z", margin + col * cell, margin + row * cell, cell, cell, cell);
      }
    }
    out_ += "\"/>\n";
    board_.cells.for_each_square([&](Square s) {
      if (const char sign = notation_.empty_cell(s).kind; sign != Cell{}.kind) special(s, sign);
    });
  }

  /// A square with a meaning of its own; pieces stand on it like on others.
  void special(Square s, char sign) {
    const Spot at = centre(s);
    put(R"svg(<g transform="translate({} {})" fill="none" stroke="{}" stroke-width="3">)svg", at.x, at.y,
        colours().line);
    switch (sign) {
      case '*': out_ += R"(<circle r="24"/><circle r="16"/><circle r="8"/>)"; break;
      case '#':
        out_ += R"(<path d="M0-23 12-4 12 12-12 12-12-4ZM-7 17-9 24M0 17V26M7 17 9 24M-12 2-20 14M12 2 20 14"/>)";
        break;
      default: put(R"(<text text-anchor="middle" y="8" font-size="24">{}</text>)", xml_escaped({&sign, 1})); break;
    }
    out_ += "</g>\n";
  }

  void labels() {
    put(R"(<g font-family="sans-serif" font-size="20" text-anchor="middle" fill="{}">)", colours().label);
    const Coordinates& names = notation_.coordinates();
    for (int col = 0; col < cols(); ++col) {
      for (const int y : {margin / 2 + 6, height() - margin / 2 + 6}) {
        put(R"(<text x="{}" y="{}">{}</text>)", centre({col, 0}).x, y, names.column_letter(col));
      }
    }
    for (int row = 0; row < rows(); ++row) {
      for (const int x : {margin / 2, width() - margin / 2}) {
        put(R"(<text x="{}" y="{}">{}</text>)", x, centre({0, row}).y + 7, names.row_number(row));
      }
    }
    out_ += "</g>\n";
  }

  // ---- The pieces ----

  void pieces() {
    board_.cells.for_each_square([&](Square s) {
      if (board_.cells[s] != notation_.empty_cell(s)) piece(s, board_.cells[s]);
    });
    out_ += '\n';
  }

  void piece(Square s, const Cell& what) {
    const Spot at = centre(s);
    put(R"(<use href="#{}" x="{}" y="{}"/>)", piece_id(style_, what.owner), at.x, at.y);
    if (!style_.letters() || what.owner == Owner::nobody) return;
    const auto side = static_cast<std::size_t>(player_of(what));
    const bool up = style_.points_up[side] != settings_.flipped;
    put(R"(<text x="{}" y="{}" font-family="sans-serif" font-weight="bold" font-size="32" text-anchor="middle" )"
        R"(fill="{}">{}</text>)"
        "\n",
        at.x, at.y + (up ? 15 : 8), style_.light[side] ? "#1a1a1a" : "#ffffff",
        xml_escaped(std::string(1, notation_.glyph(what))));
  }

  // ---- The last turn ----

  [[nodiscard]] static bool is_ride(const Effect& e) { return e.from && e.to && *e.from != *e.to; }
  [[nodiscard]] static bool is_loss(const Effect& e) { return e.from && !e.to; }

  /// Where something was that is gone, a shadow of it.
  void marks_below() {
    for (const Effect& e : settings_.last) {
      if (!is_loss(e) || board_.cells[*e.from] != notation_.empty_cell(*e.from)) continue;
      out_ += R"(<g opacity="0.35">)";
      piece(*e.from, e.piece);
      out_ += "</g>\n";
    }
  }

  void marks_above() {
    for (const Effect& e : settings_.last) {
      if (is_loss(e)) cross(centre(*e.from));
      if (e.to && !is_ride(e)) ring(centre(*e.to), e.kind == EffectKind::placed);
    }
    for (const Effect& e : settings_.last) {
      if (is_ride(e)) arrow(centre(*e.from), centre(*e.to));
    }
  }

  void cross(Spot at) {
    put(R"(<path d="M{} {}l28 28m0-28l-28 28" stroke="{}" stroke-width="6" stroke-linecap="round"/>)"
        "\n",
        at.x - 14, at.y - 14, colours().cross);
  }

  /// A large one around what came, a small one on what changed.
  void ring(Spot at, bool came) {
    put(R"(<circle cx="{}" cy="{}" r="{}" fill="none" stroke="{}" stroke-width="{}"/>)"
        "\n",
        at.x, at.y, came ? 27 : 9, colours().arrow, came ? 5 : 4);
  }

  void arrow(Spot from, Spot to) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    // A place on the way, and beside it: `along` from its end, `beside` to the right.
    const auto at = [&](double along, double beside) {
      return Spot{static_cast<int>(std::lround(to.x - (dx * along + dy * beside) / length)),
                  static_cast<int>(std::lround(to.y - (dy * along - dx * beside) / length))};
    };
    const Spot tip = at(9, 0);
    const Spot left = at(24, 10);
    const Spot right = at(24, -10);
    const Spot neck = at(22, 0);
    const Spot tail = at(length - 8, 0);
    const std::string shape = fmt::format("M{} {}L{} {}M{} {}L{} {}L{} {}Z", tail.x, tail.y, neck.x, neck.y, tip.x,
                                          tip.y, left.x, left.y, right.x, right.y);
    // The white edge keeps it apart from dark pieces and lines.
    put(R"(<path d="{0}" fill="#ffffff" stroke="#ffffff" stroke-width="10" opacity="0.7"/>)"
        R"(<path d="{0}" fill="{1}" stroke="{1}" stroke-width="6"/>)"
        "\n",
        shape, colours().arrow);
  }

  const Session& session_;
  const Notation& notation_;
  Board board_;
  const PictureSettings& settings_;
  const Catalogue& catalogue_;
  PictureStyle style_;
  std::string out_;
};

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string_view name(PictureTheme theme) noexcept {
  switch (theme) {
    case PictureTheme::wood: return "wood";
    case PictureTheme::plain: return "plain";
    case PictureTheme::dark: return "dark";
  }
  return "";
}

std::optional<PictureTheme> theme_named(std::string_view word) noexcept {
  for (const PictureTheme theme : themes) {
    if (name(theme) == word) return theme;
  }
  return std::nullopt;
}

std::string picture_svg(const Session& session, const PictureSettings& settings, const Catalogue& catalogue) {
  return Painter(session, settings, catalogue).paint();
}

}  // namespace paika
