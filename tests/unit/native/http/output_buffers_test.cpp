#include "http/output_buffers.h"

#include <doctest/doctest.h>

using tonearm::native::OutputBuffers;

namespace {

std::string front_of(const OutputBuffers& output) {
  const auto buffers = output.front();
  std::string text(boost::asio::buffer_size(buffers), '\0');
  boost::asio::buffer_copy(boost::asio::buffer(text), buffers);
  return text;
}

}  // namespace

TEST_CASE("Buffers are returned in order, from the first unwritten byte") {
  OutputBuffers output;
  CHECK(output.is_empty());
  const auto shared = std::make_shared<const std::string>("shared");
  output.add("head1 ");
  output.add(shared);
  output.add(std::string());
  output.add(std::shared_ptr<const std::string>());
  output.add(" head2");
  CHECK(shared.use_count() == 2);
  const std::string whole = "head1 shared head2";
  CHECK(output.bytes() == whole.size());
  for (std::size_t written = 0; written < whole.size(); ++written) {
    CHECK(front_of(output) == whole.substr(written));
    output.consume(1);
  }
  CHECK(output.is_empty());
  CHECK(output.bytes() == 0);
  CHECK(shared.use_count() == 1);
}

TEST_CASE("Pieces beyond the limit of one write follow in the next one") {
  OutputBuffers output;
  for (std::size_t i = 0; i < OutputBuffers::kBuffersMax + 6; ++i) output.add("ab");
  CHECK(front_of(output).size() == 2 * OutputBuffers::kBuffersMax);
  output.consume(2 * OutputBuffers::kBuffersMax);
  CHECK(front_of(output) == "abababababab");
}
