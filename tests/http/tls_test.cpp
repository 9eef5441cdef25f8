#include <doctest/doctest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <thread>

#include "client/client_pool.h"
#include "client/http_client.h"
#include "loop_fixture.h"
#include "raw_client.h"

namespace tonearm::test {
namespace {

template <auto Function>
struct Free {
  template <class T>
  void operator()(T* pointer) const {
    Function(pointer);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using File = std::unique_ptr<std::FILE, Free<std::fclose>>;

/// A self-signed certificate for 127.0.0.1, in a folder that the destructor removes.
class SelfSigned {
 public:
  SelfSigned() : folder_(std::filesystem::temp_directory_path() / ("tonearm-tls-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    const Key key(EVP_RSA_gen(2048));
    const Certificate certificate(X509_new());
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3'600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3'600);
    X509_set_version(certificate.get(), 2);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* name = X509_get_subject_name(certificate.get());
    const std::string common = "127.0.0.1";
    const auto* bytes = static_cast<const unsigned char*>(static_cast<const void*>(common.data()));
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, bytes, static_cast<int>(common.size()), -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    const std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>> address(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"));
    X509_add_ext(certificate.get(), address.get(), -1);
    REQUIRE(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);
    const File certificate_file(std::fopen(files().certificate.c_str(), "w"));
    PEM_write_X509(certificate_file.get(), certificate.get());
    const File key_file(std::fopen(files().key.c_str(), "w"));
    PEM_write_PrivateKey(key_file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  }
  ~SelfSigned() { std::filesystem::remove_all(folder_); }
  SelfSigned(const SelfSigned&) = delete;
  SelfSigned& operator=(const SelfSigned&) = delete;

  native::TlsFiles files() const { return {folder_ / "certificate.pem", folder_ / "key.pem"}; }

 private:
  std::filesystem::path folder_;
};

TEST_CASE("With a certificate the server speaks TLS, and the client verifies it") {
  const SelfSigned self_signed;
  LoopOptions options;
  options.tls = self_signed.files();
  Loop loop(options);
  CHECK(loop.server().url().substr(0, 8) == "https://");
  const auto url = native::parse_server_url(loop.server().url());
  const auto response = native::send(url, {"POST", "/echo", "token", "{}"}, options.tls.certificate);
  CHECK(response.status == 200);
  CHECK(response.body == "POST /echo {}");
  CHECK_THROWS_WITH(native::send(url, {"GET", "/echo", "token", ""}, ""),
                    doctest::Contains("certificate verify failed"));
}

TEST_CASE("A pool reuses TLS connections") {
  const SelfSigned self_signed;
  LoopOptions options;
  options.tls = self_signed.files();
  Loop loop(options);
  native::ClientPool pool(native::parse_server_url(loop.server().url()), {options.tls.certificate});
  for (int i = 0; i < 5; ++i) {
    CHECK(pool.send({"POST", "/echo", "", "x"}).body == "POST /echo x");
    CHECK(loop.metrics.connections == 1);
  }
}

TEST_CASE("Plain HTTP on a TLS address is closed without an answer") {
  const SelfSigned self_signed;
  LoopOptions options;
  options.tls = self_signed.files();
  Loop loop(options);
  RawClient client(loop.port());
  client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK_FALSE(client.read_answer());
}

TEST_CASE("A client that never starts the handshake is closed") {
  const SelfSigned self_signed;
  LoopOptions options;
  options.tls = self_signed.files();
  Loop loop(options);
  RawClient client(loop.port());
  CHECK(client.read_end());
}

// HOST-20
TEST_CASE("A TLS connection that is evicted during its first byte affects no other") {
  const SelfSigned self_signed;
  LoopOptions options;
  options.tls = self_signed.files();
  options.limits.connections_max = 8;
  options.limits.connections_per_client_max = 8;
  Loop loop(options);
  const auto flood = [&loop] {
    std::deque<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 1'500; ++i) {
      clients.push_back(std::make_unique<RawClient>(loop.port()));
      for (const auto& client : clients) client->send("\x16");
      if (clients.size() > 8) clients.pop_front();
    }
  };
  std::thread other(flood);
  flood();
  other.join();
  const auto url = native::parse_server_url(loop.server().url());
  CHECK(native::send(url, {"POST", "/echo", "token", "{}"}, options.tls.certificate).status == 200);
}

TEST_CASE("The error names a certificate that cannot be read") {
  LoopOptions options;
  options.tls = {"/nowhere/certificate.pem", "/nowhere/key.pem"};
  CHECK_THROWS_WITH(Loop{options}, doctest::Contains("/nowhere/certificate.pem"));
}

TEST_CASE("The client supports plain HTTP") {
  Loop loop;
  const auto url = native::parse_server_url(loop.server().url() + "/echo/");
  CHECK(native::send(url, {"GET", "/x", "token", ""}, "").body == "GET /echo/x ");
}

TEST_CASE("URLs of servers are validated") {
  for (const auto* wrong : {"", "127.0.0.1:80", "ftp://a", "http://", "http://:80", "http://a:", "http://a:b",
                            "http://a b", "http://u@a", "http://a?b", "http://a:123456"}) {
    CAPTURE(wrong);
    CHECK_THROWS(native::parse_server_url(wrong));
  }
  CHECK(native::parse_server_url("https://a").port == "443");
  CHECK(native::parse_server_url("http://[::1]:81").host == "[::1]");
  CHECK(native::parse_server_url("http://[::1]:81").port == "81");
}

}  // namespace
}  // namespace tonearm::test
