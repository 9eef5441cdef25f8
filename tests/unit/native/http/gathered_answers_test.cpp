#include "http/gathered_answers.h"

#include <doctest/doctest.h>

using tonearm::native::GatheredAnswers;

namespace {

std::string front_of(const GatheredAnswers& answers) {
  const auto buffers = answers.front();
  std::string text(boost::asio::buffer_size(buffers), '\0');
  boost::asio::buffer_copy(boost::asio::buffer(text), buffers);
  return text;
}

}  // namespace

TEST_CASE("what was gathered comes in order, from wherever writing has come to") {
  GatheredAnswers answers;
  CHECK(answers.is_empty());
  const auto shared = std::make_shared<const std::string>("shared");
  answers.add("head1 ");
  answers.add(shared);
  answers.add(std::string());
  answers.add(std::shared_ptr<const std::string>());
  answers.add(" head2");
  CHECK(shared.use_count() == 2);
  const std::string whole = "head1 shared head2";
  CHECK(answers.bytes() == whole.size());
  for (std::size_t taken = 0; taken < whole.size(); ++taken) {
    CHECK(front_of(answers) == whole.substr(taken));
    answers.consume(1);
  }
  CHECK(answers.is_empty());
  CHECK(answers.bytes() == 0);
  CHECK(shared.use_count() == 1);
}

TEST_CASE("more pieces than one write takes come one after the other") {
  GatheredAnswers answers;
  for (std::size_t i = 0; i < GatheredAnswers::kBuffersMax + 6; ++i) answers.add("ab");
  CHECK(front_of(answers).size() == 2 * GatheredAnswers::kBuffersMax);
  answers.consume(2 * GatheredAnswers::kBuffersMax);
  CHECK(front_of(answers) == "abababababab");
}
