#include "server/studies/studies_api.hpp"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/names.hpp"
#include "base/text.hpp"
#include "server/http/answers.hpp"
#include "server/store/secrets.hpp"
#include "server/store/studies.hpp"
#include "server/studies/study_pages.hpp"
#include "study/tree_text.hpp"

namespace paika::server {

namespace {

constexpr std::size_t study_id_length = 12;
constexpr std::size_t max_studies = 100;  // of one person
constexpr std::size_t max_chapters = 64;
constexpr std::size_t max_editors = 30;
constexpr std::size_t max_comments = 500;
constexpr std::size_t max_study_title = 80;        // bytes
constexpr std::size_t max_chapter_text = 30'000;   // bytes
constexpr std::size_t max_chapter_tree = 100'000;  // bytes
constexpr std::size_t max_comment_text = 2'000;    // bytes
constexpr std::int64_t max_study_bytes = 2'000'000;
constexpr int max_listed = 100;

using CallPtr = std::shared_ptr<const Call>;
using ReplyPtr = std::shared_ptr<Reply>;

Response no_study() { return error_response(404, "no_study", "there is no such study, or it is not for you"); }
Response no_chapter() { return error_response(404, "no_chapter", "there is no such chapter in this study"); }
Response not_an_editor() { return error_response(403, "not_yours", "only the owner and the editors may change this"); }
Response not_the_owner() { return error_response(403, "not_yours", "only the owner of the study may do this"); }

/// A study that somebody may read, and what else he may do with it.
struct EnteredStudy {
  StudyRow row;
  bool owns = false;
  bool edits = false;
};

tl::expected<EnteredStudy, Response> enter(StudyStore& studies, const Call& call) {
  const auto row = studies.find(call.params.at("study"));
  if (!row) return tl::unexpected(no_study());
  const PersonId person = call.person ? call.person->id : 0;
  EnteredStudy in{*row, row->owner == person, false};
  in.edits = in.owns || (person != 0 && studies.is_editor(row->id, person));
  if (row->access == StudyAccess::closed && !in.edits) return tl::unexpected(no_study());
  return in;
}

tl::expected<EnteredStudy, Response> enter_as_editor(StudyStore& studies, const Call& call) {
  auto in = enter(studies, call);
  if (in && !in->edits) return tl::unexpected(not_an_editor());
  return in;
}

tl::expected<EnteredStudy, Response> enter_as_owner(StudyStore& studies, const Call& call) {
  auto in = enter(studies, call);
  if (in && !in->owns) return tl::unexpected(not_the_owner());
  return in;
}

std::int64_t chapter_number(const Call& call) { return parse_int(call.params.at("chapter")).value_or(0); }

// ---- What is sent ----

Result<std::string> read_study_title(const Json& body, std::string_view missing) {
  auto text = text_field(body, "title", missing);
  if (!text) return text;
  *text = std::string(trimmed(*text));
  if (text->empty()) return fail(R"("title" must be given)");
  if (text->size() > max_study_title) return fail(R"("title" must have at most {} bytes)", max_study_title);
  if (const auto fine = check_title(*text); !fine) return fail(R"("title": {})", fine.error().message);
  return text;
}

Result<std::string> read_long_text(const Json& body, std::string_view field, std::string_view missing,
                                   std::size_t most) {
  auto text = text_field(body, field, missing);
  if (text && text->size() > most) return fail(R"("{}" must have at most {} bytes)", field, most);
  return text;
}

Result<StudyAccess> read_access(const Json& body, StudyAccess missing) {
  const auto word = text_field(body, "access", name(missing));
  if (!word) return tl::unexpected(word.error());
  if (const auto access = study_access(*word)) return *access;
  return fail(R"("access" must be private, link or public, not {})", in_quotes(*word));
}

/// The canonical text of one tree.
Result<std::string> read_tree(const Json& body, std::string_view missing) {
  auto text = read_long_text(body, "tree", missing, max_chapter_tree);
  if (!text || trimmed(*text).empty()) return text;
  const auto trees = study::parse_trees(*text);
  if (!trees) return fail(R"("tree": {})", trees.error().message);
  if (trees->size() != 1) return fail(R"("tree" must hold one game, not {})", trees->size());
  return study::tree_text(trees->front());
}

Result<std::int64_t> read_version(const Json& body) {
  return number_field(body, "version", 0, 0, std::int64_t{1} << 52U);
}

/// A chapter with what the body names changed. Takes a moment if the tree is large.
Result<ChapterRow> read_chapter(const Json& body, ChapterRow row) {
  if (const auto known = only_fields(body, {"title", "text", "tree", "version", "place"}); !known)
    return tl::unexpected(known.error());
  auto title = read_study_title(body, row.title);
  if (!title) return tl::unexpected(title.error());
  auto text = read_long_text(body, "text", row.text, max_chapter_text);
  if (!text) return tl::unexpected(text.error());
  row.title = std::move(*title);
  row.text = std::move(*text);
  if (body.contains("tree")) {
    auto tree = read_tree(body, "");
    if (!tree) return tl::unexpected(tree.error());
    row.tree = std::move(*tree);
  }
  return row;
}

Response too_large() {
  return error_response(409, "too_large",
                        fmt::format("the texts and trees of a study may have at most {} bytes", max_study_bytes));
}

Json whole_study(StudyStore& studies, const EnteredStudy& in) {
  Json json = study_json(in.row);
  json["edits"] = in.edits;
  json["owns"] = in.owns;
  json["editors"] = studies.editors(in.row.id);
  json["chapters"] = Json::array();
  for (const ChapterRow& row : studies.chapters(in.row.id)) json["chapters"].push_back(chapter_json(row, false));
  json["comments"] = Json::array();
  for (const StudyComment& comment : studies.comments(in.row.id))
    json["comments"].push_back(study_comment_json(comment));
  return json;
}

// ---- Reading ----

Response list_studies(const Call& call, Store& store) {
  StudyStore studies(store);
  Json json{{"mine", Json::array()}, {"public", Json::array()}};
  if (call.person) {
    for (const StudyRow& row : studies.of_person(call.person->id)) json["mine"].push_back(study_json(row));
  }
  for (const StudyRow& row : studies.listed(max_listed)) json["public"].push_back(study_json(row));
  return json_response(json);
}

Response show_study(const Call& call, Store& store) {
  StudyStore studies(store);
  const auto in = enter(studies, call);
  return in ? json_response(whole_study(studies, *in)) : in.error();
}

Response show_chapter(const Call& call, Store& store) {
  StudyStore studies(store);
  const auto in = enter(studies, call);
  if (!in) return in.error();
  const auto row = studies.chapter(in->row.id, chapter_number(call));
  return row ? json_response(chapter_json(*row, true)) : no_chapter();
}

std::vector<ChapterRow> whole_chapters(StudyStore& studies, const std::string& id) {
  std::vector<ChapterRow> all = studies.chapters(id);
  for (ChapterRow& row : all) row = studies.chapter(id, row.id).value_or(row);
  return all;
}

Response export_study(const Call& call, Store& store) {
  StudyStore studies(store);
  const auto in = enter(studies, call);
  if (!in) return in.error();
  Response response;
  response.type = "text/plain; charset=utf-8";
  response.body = study_file(in->row, whole_chapters(studies, in->row.id));
  response.headers.emplace_back("Content-Disposition",
                                fmt::format("attachment; filename=\"study-{}.txt\"", in->row.id));
  return response;
}

Response print_study(const Call& call, Store& store) {
  StudyStore studies(store);
  const auto in = enter(studies, call);
  if (!in) return in.error();
  Response response;
  response.type = "text/html; charset=utf-8";
  response.body = study_print_page(in->row, whole_chapters(studies, in->row.id));
  // Nothing runs and nothing is loaded; the style is in the page.
  response.headers.emplace_back("Content-Security-Policy",
                                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'none'");
  return response;
}

// ---- Changing ----

/// What is asked is decided where it is written, in one transaction, so that nothing can change in between.
class Studies {
 public:
  explicit Studies(StudiesDeps deps) : deps_(std::move(deps)) {}

  void found(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"title", "access"}); !known)
      return reply->send(bad_request(known.error()));
    const auto title = read_study_title(call->body, "");
    if (!title) return reply->send(bad_request(title.error()));
    const auto access = read_access(call->body, StudyAccess::closed);
    if (!access) return reply->send(bad_request(access.error()));
    const WallTime now = wall_now();
    const StudyRow row{random_name(study_id_length), call->person->id, "", *title, *access, 1, now, now};
    change(reply, [row](Store& store) {
      StudyStore studies(store);
      if (!store.person(row.owner)) return no_study();
      if (studies.of_person(row.owner).size() >= max_studies) {
        return error_response(409, "too_many", fmt::format("you cannot have more than {} studies", max_studies));
      }
      studies.add(row);
      return json_response(whole_study(studies, {*studies.find(row.id), true, true}), 201);
    });
  }

  void set(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"title", "access", "version"}); !known)
      return reply->send(bad_request(known.error()));
    change(reply, [call](Store& store) {
      StudyStore studies(store);
      auto in = enter_as_owner(studies, *call);
      if (!in) return in.error();
      const auto title = read_study_title(call->body, in->row.title);
      if (!title) return bad_request(title.error());
      const auto access = read_access(call->body, in->row.access);
      if (!access) return bad_request(access.error());
      const auto version = read_version(call->body);
      if (!version) return bad_request(version.error());
      StudyRow row = in->row;
      row.title = *title;
      row.access = *access;
      row.version = *version;
      if (!studies.change(row, wall_now())) {
        return error_response(409, "stale", "the study has been changed meanwhile", {{"study", study_json(in->row)}});
      }
      in->row = *studies.find(row.id);
      return json_response(whole_study(studies, *in));
    });
  }

  void drop(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      StudyStore studies(store);
      const auto in = enter_as_owner(studies, *call);
      if (!in) return in.error();
      studies.drop(in->row.id);
      return json_response({{"dropped", true}});
    });
  }

  /// Trees are read on the work queue: a large one takes a moment.
  void add_chapter(const CallPtr& call, const ReplyPtr& reply) {
    with_chapter(call, reply, [](StudyStore& studies, const EnteredStudy& in, const Call&, const ChapterRow& row) {
      if (studies.chapters(in.row.id).size() >= max_chapters) {
        return error_response(409, "too_many", fmt::format("a study has at most {} chapters", max_chapters));
      }
      const std::int64_t id = studies.add_chapter(in.row.id, row, wall_now());
      return json_response(chapter_json(*studies.chapter(in.row.id, id), true), 201);
    });
  }

  void set_chapter(const CallPtr& call, const ReplyPtr& reply) {
    with_chapter(call, reply, [](StudyStore& studies, const EnteredStudy& in, const Call& call, ChapterRow sent) {
      const auto row = studies.chapter(in.row.id, chapter_number(call));
      if (!row) return no_chapter();
      const auto version = read_version(call.body);
      if (!version) return bad_request(version.error());
      const auto place = number_field(call.body, "place", -1, -1, max_chapters);
      if (!place) return bad_request(place.error());
      sent.id = row->id;
      sent.version = *version;
      if (!call.body.contains("title")) sent.title = row->title;
      if (!call.body.contains("text")) sent.text = row->text;
      if (!call.body.contains("tree")) sent.tree = row->tree;
      if (!studies.change_chapter(in.row.id, sent, wall_now())) {
        return error_response(409, "stale", "the chapter has been changed meanwhile",
                              {{"chapter", chapter_json(*row, true)}});
      }
      if (*place >= 0) studies.move_chapter(in.row.id, row->id, static_cast<std::size_t>(*place));
      return json_response(chapter_json(*studies.chapter(in.row.id, row->id), true));
    });
  }

  void drop_chapter(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      StudyStore studies(store);
      const auto in = enter_as_editor(studies, *call);
      if (!in) return in.error();
      if (!studies.drop_chapter(in->row.id, chapter_number(*call))) return no_chapter();
      return json_response({{"dropped", true}});
    });
  }

  void add_editor(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      StudyStore studies(store);
      const auto in = enter_as_owner(studies, *call);
      if (!in) return in.error();
      const auto person = store.person_named(call->params.at("name"));
      if (!person || !person->member) return error_response(404, "no_person", "there is no member of this name");
      if (person->id == in->row.owner) return error_response(409, "owner", "the owner edits the study anyway");
      if (studies.editors(in->row.id).size() >= max_editors) {
        return error_response(409, "too_many", fmt::format("a study has at most {} editors", max_editors));
      }
      studies.add_editor(in->row.id, person->id);
      return json_response({{"editors", studies.editors(in->row.id)}});
    });
  }

  /// By the owner, or by the editor himself, who leaves.
  void drop_editor(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      StudyStore studies(store);
      const auto in = enter_as_editor(studies, *call);
      if (!in) return in.error();
      const auto person = store.person_named(call->params.at("name"));
      if (person && person->id != call->person->id && !in->owns) return not_the_owner();
      if (!person || !studies.drop_editor(in->row.id, person->id))
        return error_response(404, "no_person", "the study has no such editor");
      return json_response({{"editors", studies.editors(in->row.id)}});
    });
  }

  void comment(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"text", "chapter"}); !known)
      return reply->send(bad_request(known.error()));
    const auto text = read_long_text(call->body, "text", "", max_comment_text);
    if (!text) return reply->send(bad_request(text.error()));
    if (trimmed(*text).empty()) return reply->send(bad_request(Error{R"("text" must be given)"}));
    change(reply, [call, text = std::string(trimmed(*text))](Store& store) {
      StudyStore studies(store);
      const auto in = enter(studies, *call);
      if (!in) return in.error();
      const auto person = store.person(call->person->id);
      if (!person || person->muted) return error_response(403, "muted", "you may not write comments");
      const auto chapter = number_field(call->body, "chapter", 0, 0, std::int64_t{1} << 52U);
      if (!chapter) return bad_request(chapter.error());
      if (*chapter != 0 && !studies.chapter(in->row.id, *chapter)) return no_chapter();
      if (studies.comments(in->row.id).size() >= max_comments) {
        return error_response(409, "too_many", fmt::format("a study has at most {} comments", max_comments));
      }
      StudyComment added{0, person->id, person->name, *chapter, text, wall_now()};
      added.id = studies.add_comment(in->row.id, added);
      return json_response(study_comment_json(added), 201);
    });
  }

  void drop_comment(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      StudyStore studies(store);
      const auto in = enter(studies, *call);
      if (!in) return in.error();
      const std::int64_t id = parse_int(call->params.at("comment")).value_or(0);
      for (const StudyComment& comment : studies.comments(in->row.id)) {
        if (comment.id != id) continue;
        if (comment.person != call->person->id && !in->owns) return not_the_owner();
        studies.drop_comment(in->row.id, id);
        return json_response({{"dropped", true}});
      }
      return error_response(404, "no_comment", "there is no such comment");
    });
  }

 private:
  void with_chapter(const CallPtr& call, const ReplyPtr& reply,
                    std::function<Response(StudyStore&, const EnteredStudy&, const Call&, const ChapterRow&)> work) {
    auto refused = deps_.queue_work(call->client, [this, call, reply, work = std::move(work)] {
      // A chapter that is changed may leave its title out; a new one may not, which the empty title then says.
      const bool is_new = !call->params.contains("chapter");
      auto row = read_chapter(call->body, ChapterRow{0, is_new ? "" : "-", "", "", 1});
      deps_.post([this, call, reply, work, row = std::move(row)] {
        if (!row) return reply->send(bad_request(row.error()));
        change(reply, [call, work, row = *row](Store& store) {
          StudyStore studies(store);
          const auto in = enter_as_editor(studies, *call);
          if (!in) return in.error();
          const auto size = static_cast<std::int64_t>(row.text.size() + row.tree.size());
          const std::int64_t replaced = call->params.contains("chapter") ? chapter_number(*call) : 0;
          if (studies.bytes_without(in->row.id, replaced) + size > max_study_bytes) return too_large();
          return work(studies, *in, *call, row);
        });
      });
    });
    if (refused) reply->send(std::move(*refused));
  }

  /// Answers with what `work` returns, once that is kept.
  void change(const ReplyPtr& reply, std::function<Response(Store&)> work) {
    const auto answer = std::make_shared<Response>();
    deps_.writer.submit([answer, work = std::move(work)](Store& store) { *answer = work(store); },
                        [this, answer, reply](const std::optional<std::string>& failure) {
                          if (failure) deps_.log_event("study_not_committed", {{"what", *failure}});
                          reply->send(failure ? error_response(503, "storage",
                                                               "the server could not save this; nothing has changed, "
                                                               "try again later")
                                              : std::move(*answer));
                        });
  }

  StudiesDeps deps_;
};

}  // namespace

std::vector<Route> study_routes(const StudiesDeps& deps) {
  const auto studies = std::make_shared<Studies>(deps);
  const auto late = [studies](void (Studies::*function)(const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [studies, function](const CallPtr& call, const ReplyPtr& reply) { ((*studies).*function)(call, reply); };
  };
  return {
      {"GET", "/api/studies", Rate::reading, Need::nobody, SlowHandler{list_studies}},
      {"POST", "/api/studies", Rate::opening, Need::member, late(&Studies::found)},
      {"GET", "/api/studies/{study}", Rate::reading, Need::nobody, SlowHandler{show_study}},
      {"PUT", "/api/studies/{study}", Rate::command, Need::member, late(&Studies::set)},
      {"DELETE", "/api/studies/{study}", Rate::command, Need::member, late(&Studies::drop)},
      {"GET", "/api/studies/{study}/export", Rate::position, Need::nobody, SlowHandler{export_study}},
      {"GET", "/api/studies/{study}/print", Rate::position, Need::nobody, SlowHandler{print_study}},
      {"POST", "/api/studies/{study}/chapters", Rate::command, Need::member, late(&Studies::add_chapter)},
      {"GET", "/api/studies/{study}/chapters/{chapter}", Rate::reading, Need::nobody, SlowHandler{show_chapter}},
      {"PUT", "/api/studies/{study}/chapters/{chapter}", Rate::command, Need::member, late(&Studies::set_chapter)},
      {"DELETE", "/api/studies/{study}/chapters/{chapter}", Rate::command, Need::member, late(&Studies::drop_chapter)},
      {"PUT", "/api/studies/{study}/editors/{name}", Rate::command, Need::member, late(&Studies::add_editor)},
      {"DELETE", "/api/studies/{study}/editors/{name}", Rate::command, Need::member, late(&Studies::drop_editor)},
      {"POST", "/api/studies/{study}/comments", Rate::command, Need::member, late(&Studies::comment)},
      {"DELETE", "/api/studies/{study}/comments/{comment}", Rate::command, Need::member, late(&Studies::drop_comment)},
  };
}

}  // namespace paika::server
