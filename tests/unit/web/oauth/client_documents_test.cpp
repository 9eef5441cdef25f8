#include "oauth/client_documents.h"

#include <doctest/doctest.h>

#include "oauth/registration.h"

namespace tonearm::web {
namespace {

/// Answers every request with the same response.
struct FakeWeb final : public_web::Web {
  FakeWeb(public_web::WebResponse answer, std::vector<public_web::WebRequest>& requests)
      : response(std::move(answer)), sent(requests) {}
  void start(const public_web::WebRequest& request) override { sent.push_back(request); }
  std::optional<public_web::WebResponse> next(std::int64_t /*wait_ms*/) override {
    return response.status == 0 && response.error.empty() ? std::nullopt : std::optional(response);
  }
  std::int64_t now_ms() override { return 0; }

  public_web::WebResponse response;
  std::vector<public_web::WebRequest>& sent;
};

const std::string kId = "https://app.example/client.json";

struct DocumentsFixture {
  DocumentsFixture() {
    response.status = 200;
    response.content_type = "application/json; charset=utf-8";
    response.body = R"({"client_id":"https://app.example/client.json","client_name":"An app",)"
                    R"("redirect_uris":["https://app.example/cb"]})";
  }

  public_web::WebResponse response;
  std::vector<public_web::WebRequest> sent;
  ClientDocuments documents{[this] { return std::make_unique<FakeWeb>(response, sent); }};
};

TEST_SUITE("web: documents of applications") {
  TEST_CASE("only some https addresses name a document (OAUTH-13)") {
    CHECK(is_document_id(kId));
    CHECK(is_document_id("https://app.example:8443/a/b"));
    for (const auto* const other :
         {"app_0123", "", "https://app.example", "https://app.example/", "http://app.example/client.json",
          "http://127.0.0.1/client.json", "https://app.example/client.json?x", "https://app.example/client.json#x",
          "https://u@app.example/client.json", "https://app.example/a/../client.json",
          "https://app.example/./client.json", "https://app.example/a b"}) {
      CAPTURE(other);
      CHECK_FALSE(is_document_id(other));
    }
  }

  TEST_CASE_FIXTURE(DocumentsFixture, "a document describes its application, and is kept for ten minutes (OAUTH-13)") {
    const auto found = documents.find(kId, "anna", 0);
    REQUIRE(found);
    CHECK(found->id == kId);
    CHECK(found->name == "An app");
    CHECK(found->redirects == std::vector<std::string>{"https://app.example/cb"});
    REQUIRE(sent.size() == 1);
    CHECK(sent[0].url == kId);
    CHECK(sent[0].bytes_max == 10'241);  // one more, to see that it is too long
    response.body = "{}";
    CHECK(documents.find(kId, "bela", 599'999));
    CHECK(sent.size() == 1);
    CHECK_FALSE(documents.find(kId, "anna", 600'000));
    CHECK(sent.size() == 2);
    CHECK_FALSE(documents.find(kId, "anna", 600'001));
    CHECK(sent.size() == 2);
  }

  TEST_CASE_FIXTURE(DocumentsFixture, "anything but a document with its own address is refused (OAUTH-13)") {
    const auto good = response;
    const auto is_refused = [&](const auto& change) {
      response = good;
      change(response);
      ClientDocuments fresh([this] { return std::make_unique<FakeWeb>(response, sent); });
      return !fresh.find(kId, "anna", 0);
    };
    using Changed = public_web::WebResponse;
    CHECK_FALSE(is_refused([](Changed&) {}));
    CHECK(is_refused([](Changed& changed) { changed.status = 302; }));
    CHECK(is_refused([](Changed& changed) { changed.status = 404; }));
    CHECK(is_refused([](Changed& changed) { changed.status = 0; }));
    CHECK(is_refused([](Changed& changed) {
      changed.status = 0;
      changed.is_not_public = true;
      changed.error = "its address is not public";
    }));
    CHECK(is_refused([](Changed& changed) { changed.content_type = "text/html"; }));
    CHECK(is_refused([](Changed& changed) { changed.content_type = ""; }));
    CHECK_FALSE(is_refused([](Changed& changed) { changed.content_type = "application/json ; charset=utf-8"; }));
    CHECK_FALSE(is_refused([](Changed& changed) { changed.body.resize(10'240, ' '); }));
    CHECK(is_refused([](Changed& changed) { changed.body.resize(10'241, ' '); }));
    CHECK(is_refused([](Changed& changed) { changed.body = ""; }));
    CHECK(is_refused([](Changed& changed) { changed.body.pop_back(); }));
    CHECK(is_refused([](Changed& changed) { changed.body = R"({"redirect_uris":["https://app.example/cb"]})"; }));
    CHECK(is_refused([](Changed& changed) {
      changed.body = R"({"client_id":"https://app.example/other.json","redirect_uris":["https://app.example/cb"]})";
    }));
    CHECK(is_refused([](Changed& changed) {
      changed.body = R"({"client_id":"https://app.example/client.json","redirect_uris":["http://app.example/cb"]})";
    }));
  }

  TEST_CASE_FIXTURE(DocumentsFixture, "a person cannot make the site fetch many documents (OAUTH-13)") {
    for (int i = 0; i < 30; ++i) documents.find(kId + std::to_string(i), "anna", 0);
    CHECK(sent.size() == 20);
    documents.find(kId + "x", "bela", 0);
    CHECK(sent.size() == 21);
    documents.find(kId + "y", "anna", 60'000);
    CHECK(sent.size() == 22);
  }
}

}  // namespace
}  // namespace tonearm::web
