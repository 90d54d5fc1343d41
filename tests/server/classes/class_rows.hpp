// Classes and bots as tests of the ladder need them: any that the store takes.
#pragma once

#include <string>
#include <vector>

#include "server/store/classes.hpp"

namespace paika_tests {

inline void add_class(paika::server::ClassStore& classes, const std::string& id, paika::server::PersonId teacher,
                      const std::vector<paika::server::PersonId>& students) {
  paika::server::ClassRow row;
  row.id = id;
  row.name = id;
  row.teacher = teacher;
  row.spec = "othello:6x6";
  row.code = "code of " + id;
  classes.add_class(row);
  for (const paika::server::PersonId student : students) classes.add_member(id, student, "student", 1);
}

inline paika::server::BotId add_bot(paika::server::ClassStore& classes, const std::string& class_id,
                                    paika::server::PersonId person, const std::string& files) {
  paika::server::BotRow row;
  row.class_id = class_id;
  row.person = person;
  row.name = "bot";
  row.run = "./bot";
  return classes.add_bot(row, files).id;
}

}  // namespace paika_tests
