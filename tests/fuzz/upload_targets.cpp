#include "tests/fuzz/upload_targets.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/catalogue.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/classes/bot_files.hpp"
#include "server/classes/tar.hpp"
#include "server/classes/workshop.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/support/folder.hpp"
#include "tournament/folder_pack.hpp"

namespace paika::fuzz {

namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? "\\n" : std::string(1, c);
  }
  return out + "\"";
}

}  // namespace

void run_upload(std::string_view bytes) {
  const Json list = Json::parse(bytes, nullptr, false);
  if (list.is_discarded()) return;
  const auto files = server::read_bot_files(list);
  if (!files) return check_message(files.error().message);
  const auto again = server::read_bot_files(Json::parse(server::bot_files_json(*files).dump()));
  PAIKA_CHECK(again && *again == *files);
  std::vector<server::TarEntry> entries;
  std::size_t size = 1024;
  for (const server::BotFile& file : *files) {
    PAIKA_CHECK(!file.path.starts_with('/') && ("/" + file.path + "/").find("/../") == std::string::npos);
    entries.push_back({"class/students/some student/" + file.path, file.content, 1});
    size += 512 + (file.content.size() + 511) / 512 * 512;
  }
  const auto archive = server::tar_entries(entries);
  PAIKA_CHECK(archive && archive->size() + server::tar_end().size() == size);
}

std::vector<std::string> upload_seeds() {
  return {
      R"([{"path":"bot.py","text":"#!/usr/bin/env python3\nprint(1)\n"},{"path":"src/data.bin","base64":"AAEC/w=="}])",
      R"([{"path":"a b/c+d/e@f/g.h","text":"é"},{"path":"a b/x","text":""}])", R"([{"path":"../x","text":"y"}])",
      R"([{"path":"a/b","text":"1"},{"path":"a","text":"2"}])"};
}

void run_bot_order(std::string_view bytes) {
  if (const auto order = server::read_bot_order(bytes)) {
    PAIKA_CHECK(order->turn_ms > 0 && order->memory_mb > 0);
    const auto again = server::read_bot_order(server::order_text(*order));
    PAIKA_CHECK(again && server::order_text(*again) == server::order_text(*order));
  } else {
    check_message(order.error().message);
  }
  if (const auto verdict = server::read_verdict(bytes)) {
    PAIKA_CHECK(verdict->report.size() <= server::max_report_bytes + 10 &&
                plain_text(verdict->report) == verdict->report);
    const auto again = server::read_verdict(server::verdict_text(*verdict));
    PAIKA_CHECK(again && again->accepted == verdict->accepted && again->pack == verdict->pack);
  } else {
    check_message(verdict.error().message);
  }
}

std::vector<std::string> bot_order_seeds() {
  const std::string hash(64, 'a');
  return {server::order_text({"othello:6x6", 100, 256, "ugi", "make", "./bot", hash}),
          server::verdict_text({true, "$ make\nchecking\n", hash}),
          server::verdict_text({false, std::string(server::max_report_bytes, 'x') + "\né\x1b[1m", ""}),
          R"({"spec":"othello","turn_ms":1e24,"memory_mb":1,"protocol":"","build":"","run":"","files":""})",
          R"({"accepted":true,"report":"","pack":"\u00e9"})"};
}

void run_folder_pack(std::string_view bytes) {
  static const paika_tests::TemporaryFolder folder;
  const std::string inner = folder / "inner";
  const auto unpacked = tournament::unpack_folder(bytes, inner);
  if (!unpacked) {
    check_message(unpacked.error().message);
  } else {
    const auto kept = tournament::Links::kept;
    const auto pack = tournament::pack_folder(inner, kept);
    PAIKA_CHECK(pack.has_value());
    const std::string copy = folder / "copy";
    PAIKA_CHECK(tournament::unpack_folder(*pack, copy) && tournament::pack_folder(copy, kept) == pack);
    fs::remove_all(inner);
    fs::remove_all(copy);
  }
  PAIKA_CHECK(fs::is_empty(folder.path()));
}

std::vector<std::string> folder_pack_seeds() {
  return {"paika-folder 1\nx 9 bot.py\nprint(1)\nf 3 deep er/data\nabcf 0 empty\n",
          "paika-folder 1\nf 1 a/b/c/d\nxf 1 a/b/e\ny",
          "paika-folder 1\nf 1 ../x\nx",
          "paika-folder 1\nf 1 " + std::string(254, 'n') + "\nx",
          "paika-folder 1\nf 1 a\nxf 1 a/b\ny",
          "paika-folder 1\nl 7 lib/so\n../so.1f 1 so.1\nx",
          "paika-folder 1\nl 1 a\n/l 1 a/b\nx"};
}

void run_translation(std::string_view bytes) {
  const auto catalogue = Catalogue::read(bytes);
  if (!catalogue) {
    check_message(catalogue.error().message);
    PAIKA_CHECK(catalogue.error().message.starts_with("line "));
    return;
  }
  std::string text;
  for (const auto& [english, translation] : catalogue->patterns()) {
    text += "msgid " + quoted(english) + "\nmsgstr " + quoted(translation) + "\n";
    const std::string said = catalogue->say(phrase_of(english, "one", "two", "three"));
    PAIKA_CHECK(said.size() <= translation.size() + 5 * translation.size());
  }
  const auto again = Catalogue::read(text);
  PAIKA_CHECK(again && again->patterns() == catalogue->patterns());
}

std::vector<std::string> translation_seeds() {
  return {"# French\nmsgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\nmsgid \"{} to move\"\nmsgstr \"à {} de jouer\"\n",
          "msgid \"{} beats {}\"\nmsgstr \"{1} est battu par {0}\"\n\nmsgid \"a \\\"b\\\" \\\\ c\"\nmsgstr \"x\\n\"\n",
          "msgid \"long \"\n\"text\"\nmsgstr \"\"\nmsgid \"Draw\"\nmsgstr \"Nulle\"\n"};
}

}  // namespace paika::fuzz
