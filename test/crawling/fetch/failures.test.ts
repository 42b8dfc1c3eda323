import { errors } from 'undici';
import { describe, expect, test } from 'vitest';
import { EnvironmentError } from '../../../src/base/core/errors.ts';
import { breakageOf, ProxyError } from '../../../src/crawling/fetch/failures.ts';
import { PrivateAddressError } from '../../../src/crawling/fetch/ssrf.ts';

const withCode = (code: string) => Object.assign(new Error(`some ${code}`), { code });

describe('breakageOf', () => {
  test.each([
    [withCode('ENOTFOUND'), 'dns'],
    [withCode('EAI_AGAIN'), 'dns'],
    [withCode('ECONNREFUSED'), 'connect'],
    [withCode('ENETUNREACH'), 'connect'],
    [withCode('ETIMEDOUT'), 'timeout'],
    [new errors.ConnectTimeoutError(), 'timeout'],
    [withCode('ECONNRESET'), 'reset'],
    [new errors.SocketError('other side closed'), 'reset'],
    [new errors.SocketError('bad upgrade'), 'protocol'],
    [new errors.HeadersOverflowError(), 'protocol'],
    [new errors.HTTPParserError('odd'), 'protocol'],
    [withCode('CERT_HAS_EXPIRED'), 'certificate-expired'],
    [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate-self-signed'],
    [withCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'certificate-issuer'],
    [withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate-name'],
    [withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls'],
    [withCode('EPROTO'), 'tls'],
    [new ProxyError('gone', null), 'proxy'],
    [new ProxyError('no', 403), 'proxy'],
    [new ProxyError('far host', 504), 'connect'],
    [new TypeError('our bug'), 'internal'],
    ['not even an error', 'internal'],
  ])('%s is %s', (error, code) => expect(breakageOf(error)).toMatchObject({ kind: 'failed', code }));

  test('a private address is a refusal', () => {
    expect(breakageOf(new PrivateAddressError('a.example', '10.0.0.1'))).toEqual({ kind: 'refused', reason: 'private-address' });
  });

  test('a process without file descriptors is an error of its own', () => {
    expect(() => breakageOf(withCode('EMFILE'))).toThrow(EnvironmentError);
  });

  test('details are one short line', () => {
    const breakage = breakageOf(new Error(`first\r\nsecond\u0000${'x'.repeat(1000)}`));
    expect(breakage.kind === 'failed' && breakage.detail).toMatch(/^first second x{100,}$/);
    expect(breakage.kind === 'failed' && breakage.detail.length).toBe(200);
  });
});
