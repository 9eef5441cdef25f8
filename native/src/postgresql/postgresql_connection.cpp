#include "postgresql/postgresql_connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "tonearm/ascii.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kServerVersionMin = 130'000;

// Result types, by their numbers in `pg_type`.
constexpr Oid kBool = 16;
constexpr Oid kBytes = 17;
constexpr Oid kName = 19;
constexpr Oid kInteger8 = 20;
constexpr Oid kInteger2 = 21;
constexpr Oid kInteger4 = 23;
constexpr Oid kText = 25;
constexpr Oid kVarchar = 1043;
constexpr Oid kNumeric = 1700;

/// Configures the database session. Statements time out before their callers do. An abandoned transaction ends and
/// releases its locks. Sequential scans are off even for small tables, because under serializable isolation they
/// conflict with every write. Commits are synchronous (LIMIT-9). Settings that other servers of this protocol may lack
/// are set only if they exist.
constexpr std::string_view kConfigureSession =
    "SELECT gen_random_uuid()::text, set_config('statement_timeout', '4000', false),"
    " set_config('lock_timeout', '3000', false), set_config('idle_in_transaction_session_timeout', '10000', false),"
    " CASE WHEN current_setting('enable_seqscan', true) = 'on' THEN set_config('enable_seqscan', 'off', false) END,"
    " CASE WHEN current_setting('jit', true) = 'on' THEN set_config('jit', 'off', false) END,"
    " CASE WHEN current_setting('synchronous_commit', true) = 'off'"
    " THEN set_config('synchronous_commit', 'on', false) END,"
    " current_setting('server_encoding')";

/// Joins the lines of a message.
std::string one_line(std::string_view message) {
  std::string line;
  for (const char character : message) line += character == '\n' || character == '\r' ? ' ' : character;
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? std::string() : text;
}

/// Returns whether the connection must not be reused: the server shuts down, has crashed, has become read-only, does
/// not know whether it committed (distributed databases), or has plans of prepared statements from before a migration.
bool ends_connection(std::string_view state) {
  constexpr std::array<std::string_view, 9> kStates{"57P01", "57P02", "57P03", "57P05",        "25P03",
                                                    "25006", "0A000", "26000", kUnknownOutcome};
  return state.starts_with("08") || std::find(kStates.begin(), kStates.end(), state) != kStates.end();
}

/// Returns whether another statement or transaction conflicted. Two that create the same table conflict in the server's
/// catalog; one that drops a table blocks others only until it commits.
bool is_conflict(std::string_view state, std::string_view schema) {
  constexpr std::array<std::string_view, 4> kStates{"40001", "40P01", "42P01", "55P03"};
  return std::find(kStates.begin(), kStates.end(), state) != kStates.end() ||
         (state == "23505" && schema == "pg_catalog");
}

[[noreturn]] void throw_failure(const PGresult* result) {
  const std::string state = field(result, PG_DIAG_SQLSTATE);
  const std::string message = "PostgreSQL: " + one_line(field(result, PG_DIAG_MESSAGE_PRIMARY)) + " (" + state + ")";
  if (state.empty() || ends_connection(state)) throw ConnectionLost(message, state);
  if (is_conflict(state, field(result, PG_DIAG_SCHEMA_NAME))) throw Conflict(message, state);
  throw PostgresqlFailure(message, state);
}

std::string to_text(const sql::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* blob = std::get_if<sql::Blob>(&value)) {
    return "\\x" + ascii::to_hex(blob->bytes);
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return {};
  if (text->find('\0') != std::string::npos) throw sql::Failure("PostgreSQL: text cannot contain a zero byte");
  return *text;
}

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 2; at + 1 < hex.size(); at += 2) {  // after "\x"
    bytes += static_cast<char>(ascii::hex_value(hex[at]) * 16 + ascii::hex_value(hex[at + 1]));
  }
  return bytes;
}

std::int64_t integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw sql::Failure("PostgreSQL: unexpected number outside the range of 64-bit integers");
  }
  return value;
}

sql::Value value_at(const PGresult* result, int row, int column) {
  if (PQgetisnull(result, row, column) != 0) return std::monostate{};
  const std::string_view text(PQgetvalue(result, row, column),
                              static_cast<std::size_t>(PQgetlength(result, row, column)));
  switch (PQftype(result, column)) {
    case kInteger8:
    case kInteger4:
    case kInteger2:
    case kNumeric:  // the type of SUM over integers
      return integer_of(text);
    case kBool:
      return std::int64_t{text == "t"};
    case kText:
    case kVarchar:
    case kName:
      return std::string(text);
    case kBytes:
      return sql::Blob{bytes_of(text)};
    default:
      throw sql::Failure("PostgreSQL: unexpected type of a value");
  }
}

sql::Rows rows_of(const PGresult* result) {
  sql::Rows rows(static_cast<std::size_t>(PQntuples(result)));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row].reserve(static_cast<std::size_t>(PQnfields(result)));
    for (int column = 0; column < PQnfields(result); ++column) {
      rows[row].push_back(value_at(result, static_cast<int>(row), column));
    }
  }
  return rows;
}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

/// Returns whether the only @ ends user and password. With an @ or a slash in the password, libpq reads the rest of the
/// password as a host, a database or an option, which it and the server quote in their errors.
bool has_valid_userinfo(std::string_view url) {
  constexpr std::string_view kAfterScheme = "://";
  const std::size_t scheme = url.find(kAfterScheme);
  if (scheme == std::string_view::npos) return true;
  const std::string_view rest = url.substr(scheme + kAfterScheme.size());
  const std::size_t at = rest.find('@');
  return at == std::string_view::npos || (at == rest.rfind('@') && at < rest.find_first_of("/?"));
}

/// Returns whether `text` is a list of ports, such as `5432,5433`. Anything else may be a password.
bool is_ports(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char character) { return ascii::is_digit(character) || character == ','; });
}

/// Throws without libpq's message, because that quotes the part of the URL that it does not understand, which may be
/// the password.
void check_url(const std::string& url) {
  char* failure = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(PQconninfoParse(url.c_str(), &failure));
  PQfreemem(failure);
  bool is_good = options != nullptr && has_valid_userinfo(url);
  for (const auto* option = options.get(); is_good && option->keyword != nullptr; ++option) {
    if (std::string_view(option->keyword) == "port" && option->val != nullptr) is_good = is_ports(option->val);
  }
  if (!is_good) {
    throw sql::Failure(
        "PostgreSQL: the URL of the state is not valid; in user and password, characters such as"
        " @ : / % are written percent-encoded");
  }
}

void ignore_notice(void* /*context*/, const char* /*message*/) {}

}  // namespace

NativeStatement native_statement(std::string_view text) {
  NativeStatement native;
  char quote = '\0';
  bool ended = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char character = text[at];
    if (quote != '\0') {
      if (character == quote) quote = '\0';
    } else if (character == ';') {
      ended = true;
      continue;
    } else if (ended && character != ' ' && character != '\n' && character != '\t') {
      throw std::logic_error("not exactly one SQL statement: " + std::string(text));
    } else if (character == '\'' || character == '"') {
      quote = character;
    } else if (character == '?') {
      std::size_t number = 0;
      for (; at + 1 < text.size() && ascii::is_digit(text[at + 1]); ++at) {
        number = number * 10 + static_cast<std::size_t>(text[at + 1] - '0');
      }
      native.parameters = std::max(native.parameters, number);
      native.text += '$' + std::to_string(number);
      continue;
    }
    native.text += character;
  }
  if (native.text.find_first_not_of(" \n\t") == std::string::npos) {
    throw std::logic_error("not exactly one SQL statement: " + std::string(text));
  }
  return native;
}

void PostgresqlConnection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }
void PostgresqlConnection::Clear::operator()(pg_result* result) const { PQclear(result); }

PostgresqlConnection::PostgresqlConnection(const std::string& url, milliseconds timeout)
    : deadline_(steady_clock::now() + timeout) {
  connect(url);
  configure_session();
  deadline_ = Deadline::max();
}

PostgresqlConnection::~PostgresqlConnection() = default;

void PostgresqlConnection::connect(const std::string& url) {
  // Parameters before `dbname`, which is the URL, are defaults; those after it override the URL.
  constexpr std::array<const char*, 7> kNames{"fallback_application_name",
                                              "tcp_user_timeout",
                                              "keepalives_idle",
                                              "keepalives_interval",
                                              "dbname",
                                              "client_encoding",
                                              nullptr};
  const std::array<const char*, 7> values{"tonearm-server", "5000", "10", "5", url.c_str(), "UTF8", nullptr};
  check_url(url);
  connection_.reset(PQconnectStartParams(kNames.data(), values.data(), 1));
  if (connection_ == nullptr) throw sql::Failure("PostgreSQL: out of memory");
  PQsetNoticeProcessor(connection_.get(), ignore_notice, nullptr);
  auto state = PQstatus(connection_.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
    wait(state == PGRES_POLLING_READING ? POLLIN : POLLOUT, reply_timeout_, "no connection in time");
    state = PQconnectPoll(connection_.get());
  }
  if (state != PGRES_POLLING_OK) lose("no connection");
  if (PQserverVersion(connection_.get()) < kServerVersionMin) {
    throw sql::Failure("PostgreSQL: the server is too old: version 13 or later is needed");
  }
  if (PQsetnonblocking(connection_.get(), 1) != 0 || PQenterPipelineMode(connection_.get()) != 1) lose("no pipeline");
}

void PostgresqlConnection::configure_session() {
  const sql::Rows rows = execute_one(kConfigureSession);
  const sql::Row& row = rows.at(0);
  name_ = std::get<std::string>(row.front());
  if (std::get<std::string>(row.back()) != "UTF8") {
    throw sql::Failure("PostgreSQL: the database is encoded in " + std::get<std::string>(row.back()) + ", not in UTF8");
  }
}

std::vector<sql::Rows> PostgresqlConnection::execute(std::span<const Query> queries) {
  std::vector<Expected> expected;
  expected.reserve(queries.size() * 2);
  in_sync_ = false;
  for (const Query& query : queries) send(query, expected);
  if (PQpipelineSync(connection_.get()) != 1) lose("connection lost");
  flush();
  return receive(expected, queries.size());
}

bool PostgresqlConnection::is_alive(milliseconds timeout) noexcept {
  const milliseconds previous = std::exchange(reply_timeout_, timeout);
  try {
    execute_one("SELECT 1");
  } catch (const std::exception&) {
    in_sync_ = false;
  }
  reply_timeout_ = previous;
  return in_sync_;
}

PostgresqlConnection::Prepared& PostgresqlConnection::cached(std::string_view text) {
  const auto found = statements_.find(text);
  if (found != statements_.end()) return found->second;
  Prepared prepared;
  prepared.name = 's' + std::to_string(statements_.size());
  prepared.parameters = native_statement(text).parameters;
  return statements_.emplace(text, std::move(prepared)).first->second;
}

void PostgresqlConnection::send(const Query& query, std::vector<Expected>& expected) {
  Prepared& statement = cached(query.text);
  const std::size_t count = query.parameters == nullptr ? 0 : query.parameters->size();
  if (statement.parameters != count) {
    throw std::logic_error("wrong number of parameters: " + std::string(query.text));
  }
  std::vector<std::string> texts;
  texts.reserve(count);
  std::vector<const char*> values;
  for (std::size_t index = 0; index < count; ++index) {
    const sql::Value& value = (*query.parameters)[index];
    texts.push_back(to_text(value));
    values.push_back(std::holds_alternative<std::monostate>(value) ? nullptr : texts.back().c_str());
  }
  const auto is_preparation = [&](const Expected& one) { return one.preparation && one.statement == &statement; };
  if (!statement.is_on_server && std::none_of(expected.begin(), expected.end(), is_preparation)) {
    const std::string native = native_statement(query.text).text;
    if (PQsendPrepare(connection_.get(), statement.name.c_str(), native.c_str(), 0, nullptr) != 1)
      lose("connection lost");
    expected.push_back({&statement, true});
  }
  if (PQsendQueryPrepared(connection_.get(), statement.name.c_str(), static_cast<int>(count), values.data(), nullptr,
                          nullptr, 0) != 1) {
    lose("connection lost");
  }
  expected.push_back({&statement, false});
}

/// Reads results while it still sends queries, so that neither side blocks the other.
void PostgresqlConnection::flush() {
  for (int left = PQflush(connection_.get()); left != 0; left = PQflush(connection_.get())) {
    if (left < 0) lose("connection lost");
    wait(POLLIN | POLLOUT, reply_timeout_, "no answer in time");
    if (PQconsumeInput(connection_.get()) != 1) lose("connection lost");
  }
}

PostgresqlConnection::ResultHandle PostgresqlConnection::next_result() {
  while (PQisBusy(connection_.get()) != 0) {
    wait(POLLIN, reply_timeout_, "no answer in time");
    if (PQconsumeInput(connection_.get()) != 1) lose("connection lost");
  }
  return ResultHandle(PQgetResult(connection_.get()));
}

std::vector<sql::Rows> PostgresqlConnection::receive(const std::vector<Expected>& expected, std::size_t queries) {
  std::vector<sql::Rows> answers;
  answers.reserve(queries);
  ResultHandle failure;
  std::size_t received = 0;
  while (PQstatus(connection_.get()) != CONNECTION_BAD) {
    ResultHandle result = next_result();
    if (result == nullptr) continue;  // the end of a statement's results
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_PIPELINE_SYNC) {
      in_sync_ = true;
      break;
    }
    const Expected one = received < expected.size() ? expected[received] : Expected{};
    ++received;
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
      if (one.preparation) {
        one.statement->is_on_server = true;
      } else {
        answers.push_back(rows_of(result.get()));
      }
    } else if (failure == nullptr) {
      failure = std::move(result);
    }
  }
  if (failure != nullptr) throw_failure(failure.get());
  if (!in_sync_ || answers.size() != queries) lose("connection lost");
  return answers;
}

void PostgresqlConnection::wait(short events, milliseconds timeout, std::string_view what) {
  pollfd watched{PQsocket(connection_.get()), events, 0};
  const auto now = steady_clock::now();
  const auto until = std::min(deadline_, now + timeout);
  const auto left = std::chrono::ceil<milliseconds>(std::max(until - now, steady_clock::duration(0)));
  const int ready = poll(&watched, 1, static_cast<int>(left.count()));
  if (ready == 0 && until == deadline_) throw OutOfTime("PostgreSQL: " + std::string(what));
  if (ready == 0) throw ConnectionLost("PostgreSQL: " + std::string(what));
  if (ready < 0 && errno != EINTR) lose("connection lost");
}

void PostgresqlConnection::lose(std::string_view what) {
  throw ConnectionLost("PostgreSQL: " + std::string(what) + ": " + one_line(PQerrorMessage(connection_.get())));
}

}  // namespace tonearm::native
