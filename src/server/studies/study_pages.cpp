#include "server/studies/study_pages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "engine/picture.hpp"
#include "study/tree_text.hpp"

namespace paika::server {

namespace {

constexpr std::string_view print_head =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title><style>"
    "body{{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 serif;color:#111;background:#fff}}"
    "h2{{break-before:page}}h2:first-of-type{{break-before:auto}}"
    "figure{{margin:1rem 0;break-inside:avoid}}figure svg{{width:16rem;height:auto;max-width:100%}}"
    "figcaption{{font-style:italic}}.moves{{font-family:monospace;white-space:pre-wrap}}"
    "</style></head><body><h1>{0}</h1><p>{1}</p>\n";

/// Boards are drawn at the start, after every move of the main line with a comment, and at the end; no more than this.
constexpr std::size_t max_boards = 40;
/// All boards of a page together: those of the largest sizes have tens of kilobytes each.
constexpr std::size_t max_picture_bytes = std::size_t{4} << 20;

/// Paragraphs are between empty lines.
std::string paragraphs(std::string_view text) {
  std::string out;
  std::string paragraph;
  const auto put = [&] {
    if (!trimmed(paragraph).empty()) out += fmt::format("<p>{}</p>\n", xml_escaped(trimmed(paragraph)));
    paragraph.clear();
  };
  for (const std::string_view line : split(text, '\n')) {
    if (trimmed(line).empty()) put();
    paragraph += std::string(line) + "\n";
  }
  put();
  return out;
}

std::string figure(const Session& session, std::string_view move, std::string_view comment) {
  std::string caption = xml_escaped(move);
  if (!comment.empty()) caption += (caption.empty() ? "" : ": ") + xml_escaped(comment);
  PictureSettings settings;
  settings.theme = PictureTheme::plain;
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", picture_svg(session, settings), caption);
}

/// The moves as the file of the tree has them, without its tags.
std::string moves_of(const study::GameTree& tree) {
  const std::string text = study::tree_text(tree);
  const std::size_t begin = text.find("\n\n");
  return begin == std::string::npos ? "" : std::string(trimmed(std::string_view(text).substr(begin)));
}

/// `room` is what is left for pictures; where there is none, boards are left out.
std::string printed_tree(const study::GameTree& tree, std::size_t& room) {
  const auto session = tree.session();
  std::string out;
  const auto draw = [&](std::string_view move, std::string_view comment) {
    if (room == 0) return;
    const std::string drawn = figure(*session, move, comment);
    room -= std::min(room, drawn.size());
    out += drawn;
  };
  draw("", tree.node(0).comment);
  std::size_t boards = 1;
  const auto line = tree.main_line();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const study::TreeNode& node = tree.node(line[i]);
    session->play(node.turn);
    const bool last = i + 1 == line.size();
    if (last || (!node.comment.empty() && ++boards < max_boards)) {
      draw(fmt::format("{}. {}{}", i + 1, node.move, study::mark_text(node.mark)), node.comment);
    }
  }
  return out + fmt::format("<p class=\"moves\">{}</p>\n", xml_escaped(moves_of(tree)));
}

}  // namespace

Json study_json(const StudyRow& row) {
  return {
      {"id", row.id},           {"title", row.title},        {"owner", row.owner_name},  {"access", name(row.access)},
      {"version", row.version}, {"created_ms", row.created}, {"changed_ms", row.changed}};
}

Json chapter_json(const ChapterRow& row, bool whole) {
  Json json{{"id", row.id}, {"title", row.title}, {"version", row.version}};
  if (whole) {
    json["text"] = row.text;
    json["tree"] = row.tree;
  }
  return json;
}

Json study_comment_json(const StudyComment& comment) {
  return {{"id", comment.id},
          {"name", comment.name},
          {"chapter", comment.chapter == 0 ? Json() : Json(comment.chapter)},
          {"text", comment.text},
          {"at_ms", comment.at}};
}

std::string study_file(const StudyRow& row, const std::vector<ChapterRow>& chapters) {
  std::string out;
  for (const ChapterRow& chapter : chapters) {
    auto trees = study::parse_trees(chapter.tree);
    if (!trees || trees->empty()) continue;
    study::GameTree& tree = trees->front();
    tree.add_tag("Study", row.title);
    tree.add_tag("Chapter", chapter.title);
    std::string text = chapter.text;
    std::replace(text.begin(), text.end(), '\n', ' ');
    tree.add_tag("Text", text);
    out += (out.empty() ? "" : "\n") + study::tree_text(tree);
  }
  return out;
}

std::string study_print_page(const StudyRow& row, const std::vector<ChapterRow>& chapters) {
  std::string out = fmt::format(fmt::runtime(print_head), xml_escaped(row.title), xml_escaped(row.owner_name));
  std::size_t room = max_picture_bytes;
  for (const ChapterRow& chapter : chapters) {
    out += fmt::format("<h2>{}</h2>\n{}", xml_escaped(chapter.title), paragraphs(chapter.text));
    const auto trees = study::parse_trees(chapter.tree);
    if (trees && !trees->empty()) out += printed_tree(trees->front(), room);
  }
  return out + "</body></html>\n";
}

}  // namespace paika::server
