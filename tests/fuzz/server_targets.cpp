#include "tests/fuzz/server_targets.hpp"

#include <array>

#include "base/check.hpp"
#include "engine/registry.hpp"
#include "server/commands.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"
#include "server/http/target.hpp"
#include "server/net/passage_head.hpp"
#include "server/rooms/room.hpp"
#include "server/sso/id_token.hpp"
#include "server/sso/jose.hpp"
#include "server/sso/lti.hpp"
#include "server/sso/oidc_client.hpp"

namespace paika::fuzz {

namespace {

using namespace server;

const Identity anna{1, "anna", true};
const Identity ben{2, "ben", false};
const Identity eve{3, "eve", false};

std::unique_ptr<Room> open_room(std::vector<Event>& events) {
  RoomPlan plan;
  plan.game = *open_game("fanorona:3x3");
  plan.turn_time = Milliseconds(1000);
  plan.side = Side::first;
  auto opened = Room::open("room", plan, anna, ServerTime(1), 0);
  PAIKA_CHECK(opened.has_value());
  events = std::move(opened->second);
  return std::move(opened->first);
}

std::vector<std::string_view> lines_of(std::string_view bytes) {
  constexpr std::size_t max_lines = 200;
  std::vector<std::string_view> lines;
  while (!bytes.empty() && lines.size() < max_lines) {
    const std::size_t end = bytes.find('\n');
    lines.push_back(bytes.substr(0, end));
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
  }
  return lines;
}

constexpr std::string_view node_secret = "3jWkgXK8";

}  // namespace

void run_request(std::string_view bytes) {
  if (const auto target = parse_target(bytes)) {
    PAIKA_CHECK(target->path.starts_with('/'));
    PAIKA_CHECK(target->path.find("/../") == std::string::npos);
    PAIKA_CHECK(target->query.size() <= max_query_fields);
  }
  Request request;
  request.headers["cookie"] = std::string(bytes);
  static_cast<void>(request.cookie("paika_session"));
  const auto object = read_object(bytes);
  PAIKA_CHECK(object ? object->is_object() : !object.error().message.empty());
  if (object) static_cast<void>(read_room_plan(*object));
  const auto client = net::client_of_passage(bytes, node_secret);
  PAIKA_CHECK(!client || plain_address(client->address) == client->address);
}

std::vector<std::string> request_seeds() {
  return {"/api/rooms/x7?since=3&a=%20", "paika_session=abc; other=\"x\"", R"({"spec":"othello","engine":3})",
          R"({"a":[1,2,{"b":null}],"c":"\u00e9"})",
          net::passage_head(node_secret, {"2001:db8::7", "0123456789abcdef"})};
}

void run_room(std::string_view bytes) {
  std::vector<Event> events;
  const auto room = open_room(events);
  ServerTime now(1);
  std::size_t turn = 0;
  for (const std::string_view line : lines_of(bytes)) {
    const auto object = read_object(line);
    if (!object || !object->contains("do") || !(*object)["do"].is_string()) continue;
    const auto command = read_command((*object)["do"].get<std::string>(), *object);
    if (!command) continue;
    now += ServerTime(1000 * static_cast<std::int64_t>(line.size()));
    const std::array<Identity, 3> people = {anna, ben, eve};
    const Applied applied = room->apply(people[turn++ % people.size()], *command, now);
    PAIKA_CHECK(applied.answer || !applied.answer.error().code.empty());
    events.insert(events.end(), applied.events.begin(), applied.events.end());
  }
  const auto again = Room::restore("room", events,
                                   {room->seat(Player::first) ? anna.person : 0,
                                    room->seat(Player::second) ? room->seat(Player::second)->person : 0});
  PAIKA_CHECK(again.has_value());
  PAIKA_CHECK((*again)->snapshot(now) == room->snapshot(now));
}

std::vector<std::string> room_seeds() {
  return {
      "{\"do\":\"resign\"}\n{\"do\":\"join\"}\n{\"do\":\"say\",\"text\":\"hi\"}\n{\"do\":\"play\",\"turn\":\"a1b2A\","
      "\"id\":\"1\"}"
      "\n{\"do\":\"play\",\"turn\":\"c3c2\"}\n{\"do\":\"offer\",\"what\":\"draw\"}\n",
      "{\"do\":\"abort\"}\n",
      "{\"do\":\"say\",\"preset\":\"hello\"}\n{\"do\":\"join\"}\n{\"do\":\"join\"}\n{\"do\":\"resign\"}\n"};
}

void run_room_events(std::string_view bytes) {
  std::vector<Event> events;
  for (const std::string_view line : lines_of(bytes)) {
    const auto number = static_cast<std::uint64_t>(events.size() + 1);
    events.push_back(
        {number, ServerTime(static_cast<std::int64_t>(number)), std::make_shared<const std::string>(line), 0});
  }
  const auto room = Room::restore("room", events, {1, 2});
  PAIKA_CHECK(room ? (*room)->last_number() == events.size() : !room.error().message.empty());
  if (room) static_cast<void>((*room)->snapshot(ServerTime(1'000'000)));
}

std::vector<std::string> room_events_seeds() {
  std::vector<Event> events;
  const auto room = open_room(events);
  for (const auto& [who, command] : {std::pair<Identity, Command>{ben, command::Join{}},
                                     {eve, command::Say{"hello", ""}},
                                     {anna, command::Offer{OfferKind::draw}},
                                     {ben, command::Decline{OfferKind::draw}},
                                     {ben, command::Resign{}},
                                     {ben, command::Offer{OfferKind::rematch}}}) {
    const Applied applied = room->apply(who, command, ServerTime(1000));
    events.insert(events.end(), applied.events.begin(), applied.events.end());
  }
  std::string text;
  for (const Event& event : events) text += *event.text + "\n";
  return {text};
}

namespace {

constexpr std::string_view known_key =
    R"({"kty":"EC","crv":"P-256","kid":"k","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
    R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})";
// RFC 7515, A.3: the one token that this key has signed.
constexpr std::string_view known_token =
    "eyJhbGciOiJFUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

void read_claims(const Json& claims) {
  static_cast<void>(check_id_claims(claims, {"https://a", "b", "c", 1}));
  PAIKA_CHECK(!name_fault(suggested_name(claims)) || suggested_name(claims).empty());
  PAIKA_CHECK(shown_name(claims, 20).size() <= 20);
  LtiPlatform platform;
  platform.issuer = "https://a";
  platform.deployments = {"1"};
  const auto launch = read_launch(claims, platform, "https://b");
  PAIKA_CHECK(!launch || launch->launch->teacher != launch->launch->learner);
}

}  // namespace

void run_token(std::string_view bytes) {
  static const std::vector<PublicKey> keys = *read_jwks(fmt::format(R"({{"keys":[{}]}})", known_key));
  if (const auto token = read_jws(bytes)) {
    const PublicKey* key = key_for(*token, keys);
    PAIKA_CHECK(key == nullptr || !check_signature(*token, *key) || bytes == known_token);
    read_claims(token->claims);
  }
  if (const auto set = read_jwks(bytes)) PAIKA_CHECK(set->size() <= max_jwks_keys);
  if (const auto decoded = from_base64url(bytes)) PAIKA_CHECK(to_base64url(*decoded) == bytes);
  static_cast<void>(read_metadata(bytes, "https://a"));
  if (const auto claims = read_object(bytes)) read_claims(*claims);
}

std::vector<std::string> token_seeds() {
  return {std::string(known_token), fmt::format(R"({{"keys":[{}]}})", known_key),
          R"({"iss":"https://a","aud":["b"],"azp":"b","exp":1,"iat":1,"nonce":"c","sub":"d","name":"Ada L."})",
          R"({"https://purl.imsglobal.org/spec/lti/claim/version":"1.3.0",)"
          R"("https://purl.imsglobal.org/spec/lti/claim/message_type":"LtiResourceLinkRequest",)"
          R"("https://purl.imsglobal.org/spec/lti/claim/deployment_id":"1",)"
          R"("https://purl.imsglobal.org/spec/lti/claim/target_link_uri":"https://b/",)"
          R"("https://purl.imsglobal.org/spec/lti/claim/context":{"id":"x"},)"
          R"("https://purl.imsglobal.org/spec/lti/claim/roles":["Learner"]})"};
}

}  // namespace paika::fuzz
