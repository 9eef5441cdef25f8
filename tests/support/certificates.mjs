// Self-signed certificates for the servers of tests.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

/**
 * Writes a certificate that is valid for two days, and its key, both as PEM. `subject` is its common name; `names` are its alternative names, as
 * openssl reads them ("DNS:localhost,IP:127.0.0.1").
 */
export function writeCertificate({ certificate, key, subject = 'localhost', names }) {
  const alternative = names === undefined ? [] : ['-addext', `subjectAltName=${names}`];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
    '-subj', `/CN=${subject}`, ...alternative, '-keyout', key, '-out', certificate], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
}
