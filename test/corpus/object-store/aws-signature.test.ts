import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodedKey, queryText, signedHeaders } from '../../../src/corpus/object-store/aws-signature.ts';

const AT = Date.UTC(2026, 10, 25, 9, 8, 7);
const found = spawnSync('python3', ['-c', 'import botocore']).status === 0;

test('the example of Amazon has its signature', () => {
  // Amazon S3 API Reference, "Signature Calculations for the Authorization Header", example "GET Object".
  const { authorization } = signedHeaders(
    {
      method: 'GET',
      host: 'examplebucket.s3.amazonaws.com',
      path: '/test.txt',
      query: [],
      headers: { range: 'bytes=0-9' },
      payloadSha256: createHash('sha256').digest('hex'),
    },
    { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    'us-east-1',
    Date.UTC(2013, 4, 24),
  );
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

/** Spaces, `+`, `%`, UTF-8, `//` and all else that has a meaning in URLs. */
const ODD = [
  'a b',
  'a+b',
  '100%',
  '%41',
  'a//b',
  '//',
  'größe',
  '苹果',
  '🍏',
  "it's",
  '(1)',
  'a*b',
  'a!b',
  'a&b=c',
  'x;y',
  'a,b',
  'a:b',
  '@',
  '$',
  '~',
];
const KEYS = Array.from({ length: 50 }, (_, i) => {
  const [one = '', other = ''] = [ODD[i % ODD.length], ODD[(i * 7 + Math.floor(i / ODD.length)) % ODD.length]];
  return `corpora/${one}/${other}/part-${i}`;
});

test.runIf(found)('equals that of botocore for 50 keys (left out without python3-botocore)', () => {
  const requests = KEYS.map((key, i) => {
    const method = (['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const)[i % 5] ?? 'GET';
    const query: [string, string][] = [
      [],
      [['uploads', '']],
      [
        ['uploadId', `a+b/${i} ä`],
        ['partNumber', String(i)],
      ],
    ][i % 3] as [string, string][];
    const headers: Record<string, string> = i % 2 ? { 'x-amz-checksum-sha256': 'abc=', 'if-none-match': '*' } : {};
    const credentials = {
      accessKeyId: `AKIA${i}`,
      secretAccessKey: `se+cr/et${i}=`,
      ...(i % 4 === 0 && { sessionToken: `tok/en+${i}==` }),
    };
    const body = method === 'PUT' ? `Körper ${i}` : '';
    return {
      key,
      method,
      query,
      headers,
      credentials,
      body,
      host: i % 2 ? 'localhost:9000' : 'b.s3.eu-central-1.amazonaws.com',
      at: AT + i * 1000,
    };
  });
  const ours = requests.map(({ key, method, query, headers, credentials, body, host, at }) => {
    const payloadSha256 = createHash('sha256').update(body).digest('hex');
    return signedHeaders(
      { method, host, path: `/bucket/${encodedKey(key)}`, query, headers, payloadSha256 },
      credentials,
      'eu-central-1',
      at,
    )['authorization'];
  });
  const input = requests.map(({ key, query, host, method, body, headers, credentials, at }) => ({
    ...{ method, body, headers, at, region: 'eu-central-1', key: credentials.accessKeyId, secret: credentials.secretAccessKey },
    token: credentials.sessionToken ?? null,
    url: `http://${host}/bucket/${encodedKey(key)}${query.length > 0 ? `?${queryText(query)}` : ''}`,
  }));
  const oracle = spawnSync('python3', [join(import.meta.dirname, 'botocore-signatures.py')], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect(oracle.stderr).toBe('');
  expect(ours).toEqual(JSON.parse(oracle.stdout));
});

test('a key keeps its slashes, and no other character that a URL gives a meaning', () => {
  expect(encodedKey("a//b/c d+e%f'(g)*!/ü")).toBe('a//b/c%20d%2Be%25f%27%28g%29%2A%21/%C3%BC');
});
