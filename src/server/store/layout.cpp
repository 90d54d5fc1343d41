#include "server/store/layout.hpp"

#include <array>

#include "server/store/store.hpp"

namespace paika::server {

namespace {

constexpr std::int64_t application_id = 0x5061696B;  // "Paik"

// Times are in milliseconds since 1970, but for at_us and server_time_us, which are the server's own clock.
//
// People's numbers are never given twice (AUTOINCREMENT): an old one that is left somewhere must not become somebody
// else. A person without a password is a guest. Rooms keep the names as they were; a seat without a person is free,
// the engine's or that of a person who was erased. Events have no reference to people, because a deleted person would
// have to be looked for in all of them; `visitors` says in which rooms somebody acted who has no seat there.
//
// Events lie in the order in which they came, not room by room: a thousand games at once then write half as many pages,
// because every few events fill a page of their own instead of pushing those of a thousand other pages apart.
constexpr Sql step_1 = R"sql(
-- only postgresql
CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
-- both
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('server_time_us', 0);

CREATE TABLE people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_hash TEXT,
  since INTEGER NOT NULL
) STRICT;
CREATE INDEX people_guests ON people (id) WHERE password_hash IS NULL;

CREATE TABLE rooms (
  id TEXT PRIMARY KEY,
  spec TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'running', 'ended')),
  first_person INTEGER REFERENCES people (id) ON DELETE SET NULL,
  second_person INTEGER REFERENCES people (id) ON DELETE SET NULL,
  first_name TEXT NOT NULL,
  second_name TEXT NOT NULL,
  rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
  listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
  turns INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  first_before REAL,
  first_after REAL,
  second_before REAL,
  second_after REAL,
  rating_told INTEGER NOT NULL DEFAULT 0 CHECK (rating_told IN (0, 1)),
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX rooms_unfinished ON rooms (id)
  WHERE state <> 'ended' OR (rated = 1 AND verdict <> 'ongoing' AND rating_told = 0);
CREATE INDEX rooms_listed ON rooms (state, created DESC, id) WHERE listed = 1;
CREATE INDEX rooms_open ON rooms (changed) WHERE state = 'open';
CREATE INDEX rooms_first ON rooms (first_person, changed) WHERE first_person IS NOT NULL;
CREATE INDEX rooms_second ON rooms (second_person, changed) WHERE second_person IS NOT NULL;

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  person INTEGER,
  text TEXT NOT NULL,
  UNIQUE (room, number)
) STRICT;

CREATE TABLE visitors (
  room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (room, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX visitors_person ON visitors (person);

CREATE TABLE sessions (
  secret_hash TEXT PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_person ON sessions (person, until);
CREATE INDEX sessions_until ON sessions (until);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  secret_hash TEXT NOT NULL UNIQUE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_person ON tokens (person);

CREATE TABLE ratings (
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  game TEXT NOT NULL,
  value REAL NOT NULL,
  deviation REAL NOT NULL,
  volatility REAL NOT NULL,
  games INTEGER NOT NULL,
  PRIMARY KEY (person, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_best ON ratings (game, value DESC, person);
)sql";

// Classes: a teacher, members, the bots they hand in, and the games of the ladder. What belongs to a person goes with
// the person: a member's bots with the membership, a class with its teacher. Games stay for the opponents, without the
// bot that is gone, what it wrote and what was said of it; records name no players for that reason.
constexpr Sql step_2 = R"sql(
CREATE TABLE classes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  teacher INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  spec TEXT NOT NULL,
  turn_ms INTEGER NOT NULL,
  memory_mb INTEGER NOT NULL,
  uploads_a_day INTEGER NOT NULL,
  pairs INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  code TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('open', 'locked', 'archived')),
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX classes_teacher ON classes (teacher);

CREATE TABLE members (
  class TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  joined INTEGER NOT NULL,
  PRIMARY KEY (class, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_person ON members (person);

CREATE TABLE bots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  class TEXT NOT NULL,
  person INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  protocol TEXT NOT NULL,
  build TEXT NOT NULL,
  run TEXT NOT NULL,
  files TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'building', 'checking', 'accepted', 'refused', 'replaced')),
  report TEXT NOT NULL,
  created INTEGER NOT NULL,
  value REAL NOT NULL,
  deviation REAL NOT NULL,
  volatility REAL NOT NULL,
  wins INTEGER NOT NULL DEFAULT 0,
  draws INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  UNIQUE (class, person, number),
  FOREIGN KEY (class, person) REFERENCES members (class, person) ON DELETE CASCADE
) STRICT;
CREATE INDEX bots_waiting ON bots (id) WHERE state IN ('waiting', 'building', 'checking');
CREATE INDEX bots_accepted ON bots (class) WHERE state = 'accepted';

CREATE TABLE ladder_games (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  class TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  first_bot INTEGER REFERENCES bots (id) ON DELETE SET NULL,
  second_bot INTEGER REFERENCES bots (id) ON DELETE SET NULL,
  pair INTEGER NOT NULL,
  leg INTEGER NOT NULL CHECK (leg IN (1, 2)),
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  failure TEXT NOT NULL,
  evidence TEXT NOT NULL,
  turns INTEGER NOT NULL,
  record TEXT NOT NULL,
  first_log TEXT NOT NULL,
  second_log TEXT NOT NULL,
  ended INTEGER NOT NULL,
  UNIQUE (class, pair, leg)
) STRICT;
CREATE INDEX ladder_games_first ON ladder_games (first_bot, id) WHERE first_bot IS NOT NULL;
CREATE INDEX ladder_games_second ON ladder_games (second_bot, id) WHERE second_bot IS NOT NULL;

-- As they are shown: with the names of the people they belong to, and without what is long.
CREATE VIEW classes_shown AS
  SELECT c.id, c.name, teacher, spec, turn_ms, memory_mb, uploads_a_day, pairs, deadline, code, state, created,
    p.name AS teacher_name
  FROM classes c JOIN people p ON p.id = teacher;
CREATE VIEW bots_shown AS
  SELECT b.id, b.class, b.person, number, b.name, protocol, build, run, b.state, report, b.created, value, deviation,
    volatility, wins, draws, losses, m.name AS owner
  FROM bots b JOIN members m ON m.class = b.class AND m.person = b.person;
CREATE VIEW ladder_games_shown AS
  SELECT g.id, g.class, pair, leg, verdict, reason, failure, evidence, turns, ended,
    first_bot, a.name AS first_name, m.name AS first_owner, a.person AS first_person,
    second_bot, b.name AS second_name, n.name AS second_owner, b.person AS second_person
  FROM ladder_games g LEFT JOIN bots a ON a.id = first_bot LEFT JOIN bots b ON b.id = second_bot
    LEFT JOIN members m ON m.class = g.class AND m.person = a.person
    LEFT JOIN members n ON n.class = g.class AND n.person = b.person;

-- only sqlite
CREATE TRIGGER bots_gone BEFORE DELETE ON bots BEGIN
  UPDATE ladder_games SET first_log = '', evidence = '' WHERE first_bot = old.id;
  UPDATE ladder_games SET second_log = '', evidence = '' WHERE second_bot = old.id;
END;
-- only postgresql
CREATE FUNCTION bots_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE ladder_games SET first_log = '', evidence = '' WHERE first_bot = old.id;
  UPDATE ladder_games SET second_log = '', evidence = '' WHERE second_bot = old.id;
  RETURN old;
END $$;
CREATE TRIGGER bots_gone BEFORE DELETE ON bots FOR EACH ROW EXECUTE FUNCTION bots_gone();
)sql";

// A column is renamed, and events call a player's move `move`. A quotation mark within a text is escaped, so that only
// keys are replaced.
constexpr Sql step_3 = R"sql(
ALTER TABLE classes RENAME COLUMN uploads_a_day TO uploads_per_day;
-- only postgresql
ALTER VIEW classes_shown RENAME COLUMN uploads_a_day TO uploads_per_day;
-- both

UPDATE events SET text = replace(replace(replace(replace(text,
    '"event":"turn"', '"event":"move"'), '"turn":', '"move":'), '"turns":', '"moves":'), '"turn_ms":', '"move_ms":')
  WHERE text LIKE '%"turn%';
)sql";

// Events carry a checksum, by which one that is damaged is known; event_checksum() is ours (database.cpp). Rooms that
// could not be read are marked. Snapshots make long games quick to read; `erasures` counts the people who were erased,
// so that no snapshot from before brings a name back.
constexpr Sql step_4 = R"sql(
ALTER TABLE events ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
-- only sqlite
UPDATE events SET checksum = event_checksum(room, number, at_us, text);
-- both

ALTER TABLE rooms ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0 CHECK (damaged IN (0, 1));

CREATE TABLE snapshots (
  room TEXT PRIMARY KEY REFERENCES rooms (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES ('erasures', 0);
)sql";

// What operators decide about people and addresses (a mark is the time since when it holds; 0: it does not), what they
// did, and when bots were handed in. Uploads are not part of the membership: leaving a class and joining it again must
// not reset how many a day are left. They go with the person, as does what an operator wrote about the person.
constexpr Sql step_5 = R"sql(
ALTER TABLE people ADD COLUMN approved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN muted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE people ADD COLUMN banned INTEGER NOT NULL DEFAULT 0;
CREATE INDEX people_marked ON people (id) WHERE approved <> 0 OR muted <> 0 OR banned <> 0;

CREATE TABLE banned_addresses (
  client TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  person INTEGER REFERENCES people (id) ON DELETE SET NULL,
  subject TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX operator_log_person ON operator_log (person) WHERE person IS NOT NULL;
-- only sqlite
CREATE TRIGGER people_gone BEFORE DELETE ON people BEGIN
  UPDATE operator_log SET subject = 'deleted', reason = '' WHERE person = old.id;
END;
-- only postgresql
CREATE FUNCTION people_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE operator_log SET subject = 'deleted', reason = '' WHERE person = old.id;
  RETURN old;
END $$;
CREATE TRIGGER people_gone BEFORE DELETE ON people FOR EACH ROW EXECUTE FUNCTION people_gone();
-- both

CREATE TABLE uploads (
  class TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_of ON uploads (class, person, at);
CREATE INDEX uploads_person ON uploads (person);
INSERT INTO uploads SELECT class, person, created FROM bots;
)sql";

// Lists of rooms show the clock (as JSON, as in events), who is to move and until when (the server's own clock; 0: for
// ever), and a player's running games are found quickly. Conditional moves are a player's own and therefore no events.
constexpr Sql step_6 = R"sql(
ALTER TABLE rooms ADD COLUMN clock TEXT NOT NULL DEFAULT 'null';
ALTER TABLE rooms ADD COLUMN to_move TEXT NOT NULL DEFAULT '' CHECK (to_move IN ('', 'first', 'second'));
ALTER TABLE rooms ADD COLUMN due_us INTEGER NOT NULL DEFAULT 0;
-- only sqlite
UPDATE rooms SET clock = coalesce((SELECT json_extract(text, '$.clock') FROM events
  WHERE room = rooms.id AND number = 1 AND json_valid(text)), 'null');
UPDATE rooms SET to_move = coalesce((SELECT json_extract(text, '$.to_move') FROM events
  WHERE room = rooms.id AND json_valid(text) AND json_extract(text, '$.to_move') IN ('first', 'second')
  ORDER BY number DESC LIMIT 1), '') WHERE state = 'running';
-- both
CREATE INDEX rooms_first_running ON rooms (first_person) WHERE state = 'running' AND first_person IS NOT NULL;
CREATE INDEX rooms_second_running ON rooms (second_person) WHERE state = 'running' AND second_person IS NOT NULL;

CREATE TABLE conditional_moves (
  room TEXT NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  seat TEXT NOT NULL CHECK (seat IN ('first', 'second')),
  lines TEXT NOT NULL,
  PRIMARY KEY (room, seat)
) STRICT, WITHOUT ROWID;
)sql";

// A bot that came by a push: the push waits for its verdict, so a bot whose verdict the server's end prevented is not
// examined again.
constexpr Sql step_7 = R"sql(
ALTER TABLE bots ADD COLUMN pushed INTEGER NOT NULL DEFAULT 0;
)sql";

// Single sign-on: who somebody is to a provider (issuer and subject; never a name or an address, which providers give
// away again), and courses of learning platforms with their classes. A member without a password has the empty hash,
// which fits none. A grade is kept with its delivery: `due` is when it is tried next, `changed` tells a new grade from
// the one that is under way. A person's links, memberships and grades go with the person, a course with its class.
constexpr Sql step_8 = R"sql(
CREATE TABLE identities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created INTEGER NOT NULL,
  used INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX identities_person ON identities (person);

CREATE TABLE lti_courses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issuer TEXT NOT NULL,
  client TEXT NOT NULL,
  deployment TEXT NOT NULL,
  context TEXT NOT NULL,
  title TEXT NOT NULL,
  class TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  line_items TEXT NOT NULL,
  created INTEGER NOT NULL,
  UNIQUE (issuer, client, deployment, context)
) STRICT;
CREATE INDEX lti_courses_class ON lti_courses (class);

CREATE TABLE lti_members (
  course INTEGER NOT NULL REFERENCES lti_courses (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  learner INTEGER NOT NULL CHECK (learner IN (0, 1)),
  PRIMARY KEY (course, person),
  UNIQUE (course, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX lti_members_person ON lti_members (person);

CREATE TABLE lti_line_items (
  course INTEGER NOT NULL REFERENCES lti_courses (id) ON DELETE CASCADE,
  activity TEXT NOT NULL,
  url TEXT NOT NULL,
  PRIMARY KEY (course, activity)
) STRICT, WITHOUT ROWID;

CREATE TABLE lti_grades (
  course INTEGER NOT NULL,
  activity TEXT NOT NULL,
  person INTEGER NOT NULL,
  label TEXT NOT NULL,
  given REAL NOT NULL,
  maximum REAL NOT NULL,
  comment TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'failed')),
  tries INTEGER NOT NULL,
  due INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (course, activity, person),
  FOREIGN KEY (course, person) REFERENCES lti_members (course, person) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX lti_grades_due ON lti_grades (due) WHERE state = 'waiting';
CREATE INDEX lti_grades_member ON lti_grades (course, person);
)sql";

// Assignments for people: a list of tasks (JSON, server/classes/assignment_tasks.hpp) and what members tried. An
// attempt is a move, judged when it came, or a game in a room, judged when that ends: `ended` is 0 until then, `wanted`
// the least result that solves the task. Attempts go with the person, not with the membership: leaving a class and
// joining it again must not give new ones.
constexpr Sql step_9 = R"sql(
CREATE TABLE assignments (
  id TEXT PRIMARY KEY,
  class TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  deadline INTEGER NOT NULL,
  takes_late INTEGER NOT NULL CHECK (takes_late IN (0, 1)),
  max_attempts INTEGER NOT NULL,
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
  tasks TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX assignments_class ON assignments (class, created);

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  assignment TEXT NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
  task INTEGER NOT NULL,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  begun INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  move TEXT NOT NULL,
  room TEXT REFERENCES rooms (id) ON DELETE SET NULL,
  wanted TEXT NOT NULL CHECK (wanted IN ('', 'win', 'draw')),
  solved INTEGER NOT NULL CHECK (solved IN (0, 1))
) STRICT;
CREATE INDEX attempts_assignment ON attempts (assignment, person, task);
CREATE INDEX attempts_person ON attempts (person);
CREATE INDEX attempts_room ON attempts (room) WHERE room IS NOT NULL;

-- only sqlite
CREATE TRIGGER attempts_game_ended AFTER UPDATE OF state ON rooms WHEN new.state = 'ended' AND old.state <> 'ended' BEGIN
  UPDATE attempts SET ended = new.changed, solved = CASE new.verdict
      WHEN 'draw' THEN wanted = 'draw'
      WHEN 'first_wins' THEN person IS new.first_person
      WHEN 'second_wins' THEN person IS new.second_person
      ELSE 0 END
    WHERE room = new.id;
END;
-- only postgresql
CREATE FUNCTION attempts_game_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE attempts SET ended = new.changed, solved = CASE
      WHEN new.verdict = 'draw' AND wanted = 'draw' THEN 1
      WHEN new.verdict = 'first_wins' AND person = new.first_person THEN 1
      WHEN new.verdict = 'second_wins' AND person = new.second_person THEN 1
      ELSE 0 END
    WHERE room = new.id;
  RETURN new;
END $$;
CREATE TRIGGER attempts_game_ended AFTER UPDATE OF state ON rooms
  FOR EACH ROW WHEN (new.state = 'ended' AND old.state <> 'ended') EXECUTE FUNCTION attempts_game_ended();
)sql";

// The board that a teacher shows to a class (JSON, server/classes/class_board.hpp). It names members: who is erased is
// erased there too.
constexpr Sql step_10 = R"sql(
CREATE TABLE class_boards (
  class TEXT PRIMARY KEY REFERENCES classes (id) ON DELETE CASCADE,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- only sqlite
CREATE TRIGGER class_boards_person_gone BEFORE DELETE ON people BEGIN
  UPDATE class_boards SET state = json_set(state, '$.pointers', json('[]'), '$.mover', 0, '$.mover_name', '',
      '$.mover_account', '')
    WHERE class IN (SELECT class FROM members WHERE person = old.id) AND json_valid(state);
END;
-- only postgresql
CREATE FUNCTION class_boards_person_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE class_boards SET state = (state::jsonb
      || '{"pointers": [], "mover": 0, "mover_name": "", "mover_account": ""}'::jsonb)::text
    WHERE class IN (SELECT class FROM members WHERE person = old.id);
  RETURN old;
END $$;
CREATE TRIGGER class_boards_person_gone BEFORE DELETE ON people
  FOR EACH ROW EXECUTE FUNCTION class_boards_person_gone();
)sql";

// Simultaneous exhibitions: the teacher, or the engine at a level (0: the teacher), against members, a room each.
constexpr Sql step_11 = R"sql(
CREATE TABLE exhibitions (
  id TEXT PRIMARY KEY,
  class TEXT NOT NULL REFERENCES classes (id) ON DELETE CASCADE,
  spec TEXT NOT NULL,
  level INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX exhibitions_class ON exhibitions (class, created);

CREATE TABLE exhibition_games (
  exhibition TEXT NOT NULL REFERENCES exhibitions (id) ON DELETE CASCADE,
  room TEXT NOT NULL UNIQUE REFERENCES rooms (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (exhibition, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX exhibition_games_person ON exhibition_games (person);
)sql";

// The explorer reads games in the order in which they ended, and goes on from there.
constexpr Sql step_12 = R"sql(
CREATE INDEX rooms_ended ON rooms (changed, id) WHERE state = 'ended';
)sql";

// Studies go with their owner; what editors wrote in them stays, comments go with their author.
constexpr Sql step_13 = R"sql(
CREATE TABLE studies (
  id TEXT PRIMARY KEY,
  owner INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access IN ('private', 'link', 'public')),
  version INTEGER NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX studies_owner ON studies (owner);
CREATE INDEX studies_public ON studies (changed DESC, id) WHERE access = 'public';

CREATE TABLE study_editors (
  study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (study, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX study_editors_person ON study_editors (person);

CREATE TABLE chapters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  tree TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX chapters_study ON chapters (study, place);

CREATE TABLE study_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  study TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  chapter INTEGER REFERENCES chapters (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX study_comments_study ON study_comments (study, id);
CREATE INDEX study_comments_person ON study_comments (person);
CREATE INDEX study_comments_chapter ON study_comments (chapter) WHERE chapter IS NOT NULL;
)sql";

// Ratings against puzzles. A puzzle counts once for a person: at the first try.
constexpr Sql step_14 = R"sql(
CREATE TABLE puzzle_ratings (
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  game TEXT NOT NULL,
  value REAL NOT NULL,
  deviation REAL NOT NULL,
  volatility REAL NOT NULL,
  puzzles INTEGER NOT NULL,
  solved INTEGER NOT NULL,
  PRIMARY KEY (person, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE puzzle_tries (
  person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  puzzle TEXT NOT NULL,
  game TEXT NOT NULL,
  solved INTEGER NOT NULL,
  PRIMARY KEY (person, puzzle)
) STRICT, WITHOUT ROWID;
)sql";

// Logs tell what became of a request, also of one by which a bot came.
constexpr Sql step_15 = R"sql(
ALTER TABLE bots ADD COLUMN request TEXT NOT NULL DEFAULT '';
)sql";

// Which owner of the database wrote an event: no two of them serve a room at once if it never goes down.
constexpr Sql step_16 = R"sql(
ALTER TABLE events ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
)sql";

// Ten levels became fourteen: a stored one becomes the one that plays like it. Of tasks only games have "games" behind
// the level; the highest is replaced first, so none is replaced twice. Events stay as they are, under their checksums.
constexpr Sql step_17 = R"sql(
UPDATE exhibitions SET level = CASE level WHEN 6 THEN 7 WHEN 7 THEN 9 WHEN 8 THEN 10 WHEN 9 THEN 13 ELSE 14 END
  WHERE level BETWEEN 6 AND 10;
UPDATE assignments SET tasks = replace(replace(replace(replace(replace(tasks,
    '"level":10,"games":', '"level":14,"games":'), '"level":9,"games":', '"level":13,"games":'),
    '"level":8,"games":', '"level":10,"games":'), '"level":7,"games":', '"level":9,"games":'),
    '"level":6,"games":', '"level":7,"games":');
)sql";

constexpr std::array<Sql, store_version> steps_of_this_program = {step_1,  step_2,  step_3,  step_4,  step_5,  step_6,
                                                                  step_7,  step_8,  step_9,  step_10, step_11, step_12,
                                                                  step_13, step_14, step_15, step_16, step_17};

}  // namespace

Layout store_layout() { return {application_id, steps_of_this_program}; }

}  // namespace paika::server
