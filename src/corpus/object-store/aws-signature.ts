/** AWS Signature Version 4 for S3 ("Authenticating Requests: Using the Authorization Header", Amazon S3 API Reference). Pure. */
import { createHash, createHmac } from 'node:crypto';
import type { EpochMs } from '../../base/core/types.ts';

/** Never logged, stored or shown. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token of temporary credentials. Absent for others. */
  readonly sessionToken?: string;
}

export interface UnsignedRequest {
  readonly method: string;
  /** Host with its port, unless that is the one of the scheme. */
  readonly host: string;
  /** Path as it is sent: each segment is encoded once, and no segment is removed. */
  readonly path: string;
  /** Names and values, not encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Lower-case names. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hex. */
  readonly payloadSha256: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The header fields to send: those of the request, and those of the signature. */
export function signedHeaders(
  request: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  region: string,
  at: EpochMs,
): Record<string, string> {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-content-sha256': request.payloadSha256,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const signed = names.join(';');
  const canonical = [
    request.method,
    request.path,
    queryText(request.query),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    request.payloadSha256,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = [ALGORITHM, time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return { ...headers, authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}` };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Query in the order that is signed, which is also sent. */
export function queryText(query: UnsignedRequest['query']): string {
  const encoded = query.map(([name, value]) => `${encodedText(name)}=${encodedText(value)}`);
  return encoded.sort().join('&');
}

/** The path of a key: its slashes stay, also two in a row. */
export function encodedKey(key: string): string {
  return key.split('/').map(encodedText).join('/');
}

/** Percent-encoded UTF-8, except the unreserved characters of RFC 3986 §2.3. */
function encodedText(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
