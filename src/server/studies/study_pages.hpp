// What is shown of studies: as JSON, as one file of games, and as a page to print.
#pragma once

#include <string>
#include <vector>

#include "engine/json.hpp"
#include "server/store/studies.hpp"

namespace paika::server {

/// {id, title, owner, access, version, created_ms, changed_ms}
[[nodiscard]] Json study_json(const StudyRow& row);
/// {id, title, version}, and {text, tree} if `whole`.
[[nodiscard]] Json chapter_json(const ChapterRow& row, bool whole);
/// {id, name, chapter: null or its number, text, at_ms}
[[nodiscard]] Json study_comment_json(const StudyComment& comment);

/// All trees of the chapters in the text of docs/records.md; each has the tags Study, Chapter and Text.
[[nodiscard]] std::string study_file(const StudyRow& row, const std::vector<ChapterRow>& chapters);
/// A page of its own, with pictures of the boards in it: nothing is loaded from anywhere.
[[nodiscard]] std::string study_print_page(const StudyRow& row, const std::vector<ChapterRow>& chapters);

}  // namespace paika::server
