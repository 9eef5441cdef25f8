// Loads the core's WebAssembly module and speaks its messages (README.md, "Messages"). One instance answers one
// call at a time, synchronously. After a trap it is unusable: `broken` is set then.

const LAYOUT = 1;
const ERRNO_NOSYS = 52;

export const BODY_BYTES_MAX = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

class MessageWriter {
  #parts = [];
  #size = 0;

  number(value) {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, true);
    return this.bytes(bytes);
  }

  bytes(bytes) {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return this;
  }

  /** A length and as many bytes. */
  text(value) {
    const bytes = value instanceof Uint8Array ? value : encoder.encode(value);
    return this.number(bytes.length).bytes(bytes);
  }

  finish() {
    const message = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      message.set(part, at);
      at += part.length;
    }
    return message;
  }
}

class AnswerReader {
  #view;
  #at;

  constructor(buffer, at) {
    this.#view = new DataView(buffer);
    this.#at = at;
  }

  number() {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  bytes() {
    const size = this.number();
    this.#at += size;
    return new Uint8Array(this.#view.buffer, this.#at - size, size).slice();
  }

  text() {
    return decoder.decode(this.bytes());
  }
}

/**
 * What the core takes from its host, all synchronous:
 * `nowMs() -> number`, `random(Uint8Array)`, `sha256(Uint8Array) -> Uint8Array`,
 * `hmacSha256(key, data) -> Uint8Array`, `log(string)`.
 */
export class Core {
  #exports;
  #instance;
  #files = new Map();
  #nextFile = 1;
  #openFile = 0;
  broken = false;

  /** `module`: the compiled module. */
  constructor(module, ports) {
    this.#exports = new WebAssembly.Instance(module, this.#imports(ports)).exports;
    this.#exports._initialize();
    if (this.#exports.tonearm_layout() !== LAYOUT) throw new Error('the WebAssembly module is of another version');
    this.#instance = this.#exports.tonearm_make();
  }

  /** `keySecret`: a string, empty where the state is to make one; `adminTokenHash`: the 32 bytes of its SHA-256. */
  start({ keySecret = '', adminTokenHash }) {
    this.#send(new MessageWriter().number(LAYOUT).text(keySecret).bytes(adminTokenHash).finish());
    this.#expectDone(this.#call('tonearm_start'));
  }

  /** Takes up a snapshot, its whole bytes; gives its version. On a fault the one in force stays. */
  openSnapshot(bytes, { allowEvaluation = false } = {}) {
    const file = this.#nextFile++;
    this.#files.set(file, bytes);
    const answer = this.#call('tonearm_open_snapshot', file, allowEvaluation ? 1 : 0);
    this.#files.delete(answer.status === 200 ? this.#openFile : file);
    this.#expectDone(answer);
    this.#openFile = file;
    return decoder.decode(answer.body);
  }

  /**
   * `{method, target, headers: [[name, value]], body: Uint8Array}` to `{status, headers: [[name, value]], body}`.
   * `target` is the origin form; of a body, one byte more than BODY_BYTES_MAX is enough.
   */
  handle(request) {
    return this.#handle('tonearm_handle', request);
  }

  handleAdmin(request) {
    return this.#handle('tonearm_handle_admin', request);
  }

  /** Writes what admission counted in memory. */
  flush() {
    this.#expectDone(this.#call('tonearm_flush'));
  }

  /** One step of retention; true while more remains. */
  retainStep() {
    return this.#guarded(() => this.#exports.tonearm_retain_step(this.#instance)) !== 0;
  }

  #handle(name, { method, target, headers, body }) {
    const message = new MessageWriter().number(LAYOUT).text(method).text(target).number(headers.length);
    for (const [field, value] of headers) message.text(field).text(value);
    message.text(body ?? new Uint8Array());
    this.#send(message.finish());
    return this.#call(name);
  }

  #send(message) {
    const at = this.#guarded(() => this.#exports.tonearm_reserve(this.#instance, message.length));
    // A message beyond the bound leaves an empty one behind, which the core refuses.
    if (at !== 0) this.#memory(at).set(message);
  }

  #call(name, ...numbers) {
    const at = this.#guarded(() => this.#exports[name](this.#instance, ...numbers));
    const reader = new AnswerReader(this.#exports.memory.buffer, at >>> 0);
    if (reader.number() !== LAYOUT) throw new Error('an answer of another layout');
    reader.number();
    const status = reader.number();
    const headers = Array.from({ length: reader.number() }, () => [reader.text(), reader.text()]);
    return { status, headers, body: reader.bytes() };
  }

  #guarded(call) {
    if (this.broken) throw new Error('the core has trapped before');
    try {
      return call();
    } catch (fault) {
      this.broken = true;
      throw fault;
    }
  }

  #expectDone({ status, body }) {
    if (status !== 200) throw new Error(decoder.decode(body));
  }

  #memory(at, size = undefined) {
    // Made anew each time: growth of the memory detaches what was made before. Addresses arrive signed.
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, size === undefined ? undefined : size >>> 0);
  }

  #imports(ports) {
    const text = (at, size) => new TextDecoder().decode(this.#memory(at, size));
    return {
      tonearm: {
        host_now_ms: () => ports.nowMs(),
        host_random: (out, size) => ports.random(this.#memory(out, size)),
        host_sha256: (data, size, out) => this.#memory(out, 32).set(ports.sha256(this.#memory(data, size))),
        host_hmac_sha256: (key, keySize, data, size, out) =>
          this.#memory(out, 32).set(ports.hmacSha256(this.#memory(key, keySize), this.#memory(data, size))),
        host_size: (file) => this.#files.get(file)?.length ?? -1,
        host_read: (file, low, high, out, size) => this.#read(file, (high >>> 0) * 2 ** 32 + (low >>> 0), out, size),
        host_log: (at, size) => ports.log(text(at, size)),
      },
      // What the C and C++ libraries ask of a system. There is no environment here.
      wasi_snapshot_preview1: {
        environ_sizes_get: (count, size) => {
          this.#memory(count, 4).fill(0);
          this.#memory(size, 4).fill(0);
          return 0;
        },
        environ_get: () => 0,
        proc_exit: (status) => {
          throw new Error(`the core ended itself with ${status}`);
        },
        fd_write: () => ERRNO_NOSYS,
        fd_read: () => ERRNO_NOSYS,
        fd_seek: () => ERRNO_NOSYS,
        fd_close: () => ERRNO_NOSYS,
        clock_time_get: () => ERRNO_NOSYS,
      },
      env: { emscripten_notify_memory_growth: () => {} },
    };
  }

  #read(file, offset, out, size) {
    const bytes = this.#files.get(file);
    if (bytes === undefined) return -1;
    const part = bytes.subarray(offset, offset + size);
    this.#memory(out, part.length).set(part);
    return part.length;
  }
}
