// The public keys of the binding CATALOG_KEY. Only snapshots that one of them has signed are served (HOST-31). Counterpart of
// native/src/system/signing_keys.cpp.

import { equalBytes } from '../../core-js/src/snapshot_file';
import type { Ports } from './ports';

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;
/** The DER prefix of an Ed25519 key of 32 bytes (RFC 8410). */
const DER_PREFIX = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00);
const KEY_BYTES = 32;

/** The signature at the end of a snapshot (docs/snapshot-format.md). */
export interface SignatureClaim {
  publicKey: Uint8Array;
  signature: Uint8Array;
  message: Uint8Array;
}

function keyOf(base64: string): Uint8Array {
  const der = Uint8Array.from(atob(base64.replace(/\s/g, '')), (char) => char.charCodeAt(0));
  const isEd25519 = der.length === DER_PREFIX.length + KEY_BYTES && equalBytes(der.subarray(0, DER_PREFIX.length), DER_PREFIX);
  const key = der.subarray(DER_PREFIX.length);
  if (!isEd25519 || key.every((byte) => byte === 0)) throw new Error('CATALOG_KEY contains a key that is not an Ed25519 key');
  return key;
}

export class TrustedKeys {
  readonly #keys: Uint8Array[];

  private constructor(keys: Uint8Array[]) {
    this.#keys = keys;
  }

  /** `pem` is one public key or several, as written by `openssl pkey -pubout`. With anything else, no snapshot is trusted. */
  static of(pem: string, ports: Ports): TrustedKeys {
    try {
      return new TrustedKeys(TrustedKeys.#read(pem));
    } catch (error) {
      ports.log(`no snapshot is trusted: ${error instanceof Error ? error.message : String(error)}`);
      return new TrustedKeys([]);
    }
  }

  static #read(pem: string): Uint8Array[] {
    const blocks = [...pem.matchAll(PEM_BLOCK)];
    const isWhole = blocks.length > 0 && pem.split('-----BEGIN ').length === blocks.length + 1;
    if (!isWhole || blocks.some(([, kind]) => kind !== 'PUBLIC KEY')) {
      throw new Error('CATALOG_KEY must contain only public keys in PEM');
    }
    return blocks.map(([, , base64]) => keyOf(base64));
  }

  /** Returns why a snapshot is not trusted, or null if one of the keys has signed it. */
  async rejectionReason({ publicKey, signature, message }: SignatureClaim): Promise<string | null> {
    if (publicKey.every((byte) => byte === 0)) return 'it is not signed';
    const trusted = this.#keys.find((key) => equalBytes(key, publicKey));
    if (trusted === undefined) return 'it is signed with an untrusted key';
    const key = await crypto.subtle.importKey('raw', trusted, { name: 'Ed25519' }, false, ['verify']);
    if (await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, message)) return null;
    return 'its signature does not match its content';
  }
}
