#include "films/track_uses.h"

#include <doctest/doctest.h>

#include <deque>

#include "fingerprint/pieces.h"

namespace tonearm::cli {

// CLI-29

namespace {

/// A use of a track in a piece.
std::string use(const std::string& id, const std::string& begin_s, const std::string& end_s, int score = 90) {
  return R"({"track":{"id":")" + id + R"("},"begin_s":)" + begin_s + R"(,"end_s":)" + end_s + R"(,"score":)" +
         std::to_string(score) + '}';
}

std::string answer_of(const std::vector<std::string>& uses_of_pieces) {
  std::string pieces;
  for (const auto& uses : uses_of_pieces) pieces += (pieces.empty() ? "" : ",") + (R"({"uses":[)" + uses + "]}");
  return R"({"pieces":[)" + pieces + "]}";
}

/// Answers each request with the next text, and records the bodies.
struct FakeApi {
  std::deque<std::string> answers;
  std::vector<std::string> bodies{};
  int status = 200;

  Send send() {
    return [this](const ApiRequest& request) {
      CHECK(request.method == "POST");
      CHECK(request.target == "/v1/credits/recognize");
      bodies.push_back(request.body);
      ApiAnswer answer{.status = status, .body = answers.front()};
      answers.pop_front();
      return answer;
    };
  }
};

/// id: begin-end begin-end; ...
std::string text_of_tracks(const TrackUses& uses) {
  std::string text;
  for (const auto& track : uses.tracks()) {
    text += std::string(track.track.at("id").as_string()) + ' ' + std::to_string(track.score) + ':';
    for (const auto& time : track.times) {
      text += ' ' + std::to_string(std::lround(time.begin_s)) + '-' + std::to_string(std::lround(time.end_s));
    }
    text += '\n';
  }
  return text;
}

std::string recognized(const std::vector<audio::Piece>& pieces, const std::string& answer) {
  FakeApi api{{answer}};
  TrackUses uses;
  uses.recognize(pieces, api.send());
  return text_of_tracks(uses);
}

}  // namespace

TEST_CASE("uses are shifted by the beginning of their piece, and joined over its borders") {
  const std::vector<audio::Piece> pieces{{0, "a"}, {90, "b"}, {180, "c"}};
  CHECK(recognized(pieces, answer_of({use("x", "100", "120"), use("x", "10", "40"), use("x", "25", "50")})) ==
        "x 90: 100-130 205-230\n");
  CHECK(recognized(pieces, answer_of({use("x", "100", "117"), use("x", "30", "40"), ""})) == "x 90: 100-130\n");
  CHECK(recognized(pieces, answer_of({use("x", "100", "116.9"), use("x", "30", "40"), ""})) ==
        "x 90: 100-117 120-130\n");
  CHECK(recognized(pieces, answer_of({use("x", "0", "120"), use("x", "5", "10"), ""})) == "x 90: 0-120\n");
}

TEST_CASE("tracks are ordered by their first use, with the best score of their uses") {
  const std::vector<audio::Piece> pieces{{0, "a"}, {90, "b"}};
  const auto answer = answer_of({use("late", "60", "70", 70) + ',' + use("early", "5", "50", 80),
                                 use("late", "50", "60", 99) + ',' + use("early", "1", "20", 75)});
  CHECK(recognized(pieces, answer) == "early 80: 5-50 91-110\nlate 99: 60-70 140-150\n");
  CHECK(recognized(pieces, answer_of({"", ""})).empty());
}

TEST_CASE("a request has at most four pieces") {
  std::vector<audio::Piece> pieces(5, {0, "AQAA"});
  pieces.back() = {720, "last"};
  FakeApi api{{answer_of(std::vector<std::string>(4)), answer_of({use("x", "1", "2")})}};
  TrackUses uses;
  uses.recognize(pieces, api.send());
  const std::string piece = R"({"fingerprint":"AQAA"})";
  CHECK(api.bodies ==
        std::vector<std::string>{R"({"pieces":[)" + piece + ',' + piece + ',' + piece + ',' + piece + "]}",
                                 R"({"pieces":[{"fingerprint":"last"}]})"});
  CHECK(text_of_tracks(uses) == "x 90: 721-722\n");
  uses.recognize({}, api.send());
  CHECK(api.bodies.size() == 2);
}

TEST_CASE("errors and answers of another form are errors of the server") {
  const std::vector<audio::Piece> pieces{{0, "a"}};
  FakeApi limited{{R"({"message":"too many"})"}, {}, 429};
  CHECK_THROWS_WITH_AS(TrackUses().recognize(pieces, limited.send()), "too many (429)", ServerError);
  for (const auto& answer :
       {std::string("{}"), std::string(R"({"pieces":[{}]})"), std::string(R"({"pieces":[{"uses":null}]})"),
        answer_of({}), answer_of({"", ""}), answer_of({R"({"track":null})"}), answer_of({use("x", "-1", "2")}),
        answer_of({use("x", "3", "2")}), answer_of({use("x", "1", "1e300")}), answer_of({use("x", "\"1\"", "2")})}) {
    CHECK_THROWS_AS(recognized(pieces, answer), ServerError);
  }
}

}  // namespace tonearm::cli
