// What the tests of the store share: a store of its own, on either engine, and short ways to rows and events.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/store/secrets.hpp"
#include "server/store/store.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"
#include "tests/support/test_database.hpp"

namespace paika_tests {

namespace server = paika::server;

inline server::RoomRow row(std::string id, server::RoomState state = server::RoomState::running) {
  server::RoomRow row;
  row.id = std::move(id);
  row.spec = "othello:8x8";
  row.state = state;
  row.names = {"one", "two"};
  row.verdict = "ongoing";
  row.reason = "unfinished";
  row.created = 1000;
  row.changed = 1000;
  return row;
}

inline server::Event event(std::uint64_t number, std::string text, server::PersonId person = 0) {
  return {number, server::ServerTime(number * 10), std::make_shared<const std::string>(std::move(text)), person};
}

/// Events that follow each other from `number`.
inline std::vector<server::Event> events_from(std::uint64_t number, std::initializer_list<const char*> texts) {
  std::vector<server::Event> events;
  for (const char* text : texts) events.push_back(event(number++, text));
  return events;
}

inline std::vector<std::string> texts_of(const std::vector<server::Event>& events) {
  std::vector<std::string> texts;
  for (const auto& event : events) texts.push_back(*event.text);
  return texts;
}

template <class Rows>
std::vector<std::string> ids_of(const Rows& rows) {
  std::vector<std::string> ids;
  for (const auto& row : rows) ids.push_back(row.id);
  return ids;
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    if (!server::start_secrets()) throw std::runtime_error("no random numbers");
    open();
  }

  void open() { store = must(server::Store::open(path, server::Store::Mode::owner), path); }
  void reopen() {
    store.reset();
    open();
  }
  [[nodiscard]] server::PersonId member(std::string_view name) const {
    return must(store->make_member(store->add_guest(1000).id, name, "hash"), name).id;
  }

  TemporaryFolder folder;
  std::string path = new_database(folder);
  std::unique_ptr<server::Store> store;
};

using Ids = std::vector<std::string>;

}  // namespace paika_tests
