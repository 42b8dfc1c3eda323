/** Keys that sign requests: Ed25519 as JSON Web Keys (RFC 8037), and the directory that publishes them. */
import { createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readGivenText } from '../../base/text/given-file.ts';

/** A key has some 200 bytes. */
const MAX_BYTES: Bytes = 64 * 1024;
const REMEDY = 'make one with forager sign-key';
/** Permissions of anybody but the owner. */
const OTHERS = 0o077;

/** A private key, and its name: the thumbprint of the public key (RFC 7638). */
export interface SigningKey {
  readonly key: KeyObject;
  readonly keyId: string;
}

/** Path of the directory on the host of the crawler (draft-meunier-http-message-signatures-directory). */
export const KEY_DIRECTORY = '/.well-known/http-message-signatures-directory';

/** @throws UsageError for a file that cannot be read, that others may read, or that is no private Ed25519 key. Its messages name no part of the key. */
export function readSigningKey(path: string): SigningKey {
  const name = `--sign-key ${path}`;
  const text = readGivenText(path, { maxBytes: MAX_BYTES, what: 'a private key', name, remedy: REMEDY });
  if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0)
    throw new UsageError(`${name}: others may read the private key; run chmod 600 ${path}, or make a new key if others have seen it`);
  const jwk = jwkIn(text, name);
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519')
    throw new UsageError(`${name}: is a key of type ${String(jwk.kty)}; signatures need Ed25519: ${REMEDY}`);
  if (jwk.d === undefined) throw new UsageError(`${name}: is a public key; give the private key, which has "d"`);
  return { key: privateKeyOf(jwk, name), keyId: thumbprintOf(jwk) };
}

/** Writes a new private key, which only its owner may read. @returns the directory to publish @throws UsageError if the file is there or cannot be written */
export function makeSigningKey(path: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  try {
    writeFileSync(path, `${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${path}: cannot be written (${messageOf(error)}); give the name of a new file`, { cause: error });
  }
  return directoryOf(publicKey.export({ format: 'jwk' }));
}

/** Content of the directory: the public keys as a JSON Web Key Set. */
function directoryOf(jwk: JsonWebKey): string {
  return `${JSON.stringify({ keys: [{ ...jwk, kid: thumbprintOf(jwk), use: 'sig', alg: 'EdDSA' }] }, null, 2)}\n`;
}

function thumbprintOf({ crv, x }: JsonWebKey): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv, kty: 'OKP', x }))
    .digest('base64url');
}

/** @throws UsageError */
function jwkIn(text: string, name: string): JsonWebKey {
  try {
    const jwk = JSON.parse(text) as unknown;
    if (typeof jwk === 'object' && jwk !== null) return jwk as JsonWebKey;
  } catch {
    // The message of the parser would quote the key.
  }
  throw new UsageError(`${name}: is not a JSON Web Key; ${REMEDY}`);
}

/** @throws UsageError */
function privateKeyOf(jwk: JsonWebKey, name: string): KeyObject {
  try {
    return createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new UsageError(`${name}: the key is damaged; ${REMEDY}`);
  }
}
