/** A bucket of an object store that has the API of Amazon S3: the operations that harvests and shared crawls need. */
import { createHash } from 'node:crypto';
import type { Bytes } from '../../base/core/types.ts';
import { type BucketOptions, errorCode, type StoreAnswer, type StoreRequest, StoreRequests } from './store-requests.ts';

export interface ListedObject {
  readonly key: string;
  readonly bytes: Bytes;
}

/** Digests of an object by the store. Each is null if the store does not tell it. */
export interface ObjectDigests {
  /**
   * ETag without quotes. MD5 in hex where the store does not encrypt by a key of its customer; of several parts, the MD5 of their MD5s, and
   * their number.
   */
  readonly etag: string | null;
  /** Base64; of several parts, the digest of their digests, and their number. */
  readonly sha256: string | null;
}

export interface UploadedPart extends ObjectDigests {
  /** Number of the part, from 1. */
  readonly number: number;
}

/** Objects, and uploads of objects in parts. Answers are XML. */
export class Bucket {
  readonly #requests: StoreRequests;
  readonly #signal: AbortSignal | undefined;
  /** Does the store know `If-None-Match` for writing? Some answer with an error. */
  #conditional = true;

  constructor(options: BucketOptions) {
    this.#requests = new StoreRequests(options);
    this.#signal = options.signal;
  }

  /** null if there is none. */
  async digests(key: string): Promise<ObjectDigests | null> {
    const answer = await this.#requests.ask({ method: 'HEAD', key, headers: { 'x-amz-checksum-mode': 'ENABLED' } }, [404]);
    return answer.status === 404 ? null : digestsIn(answer);
  }

  /** null if there is none. @throws EnvironmentError also for an object that is larger than an answer may be */
  async get(key: string): Promise<Buffer | null> {
    const answer = await this.#requests.ask({ method: 'GET', key }, [404]);
    if (answer.status === 404 && errorCode(answer) === 'NoSuchBucket') throw this.#requests.errorOf({ method: 'GET', key }, answer);
    return answer.status === 404 ? null : answer.body;
  }

  /** @param over may it replace an object? Otherwise the store refuses if it can, and `exists` is returned */
  async put(key: string, body: Uint8Array, over: 'new' | 'replace'): Promise<'written' | 'exists'> {
    const headers = { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') };
    return this.#write({ method: 'PUT', key, body, headers }, over);
  }

  async delete(key: string): Promise<void> {
    await this.#requests.ask({ method: 'DELETE', key }, [404]);
  }

  /** All objects whose keys begin so. @param after only keys that come after this one, by their UTF-8 */
  async *list(prefix: string, after?: string): AsyncGenerator<ListedObject> {
    const first = after === undefined ? [] : [['start-after', after] as const];
    for (let token: string | null = null, more = true; more; ) {
      const next = token === null ? first : [['continuation-token', token] as const];
      const xml = await this.#xml({ method: 'GET', key: '', query: [['list-type', '2'], ['prefix', prefix], ...next] });
      for (const one of elements(xml, 'Contents')) yield { key: text(one, 'Key') ?? '', bytes: Number(text(one, 'Size')) };
      token = text(xml, 'NextContinuationToken');
      more = text(xml, 'IsTruncated') === 'true' && token !== null;
    }
  }

  /** The uploads that are not complete, of keys that begin so. */
  async *uploads(prefix: string): AsyncGenerator<{ readonly key: string; readonly id: string }> {
    for (let from: [string, string] | null = null, more = true; more; ) {
      const next = from === null ? [] : [['key-marker', from[0]] as const, ['upload-id-marker', from[1]] as const];
      const xml = await this.#xml({ method: 'GET', key: '', query: [['uploads', ''], ['prefix', prefix], ...next] });
      for (const one of elements(xml, 'Upload')) yield { key: text(one, 'Key') ?? '', id: text(one, 'UploadId') ?? '' };
      from = [text(xml, 'NextKeyMarker') ?? '', text(xml, 'NextUploadIdMarker') ?? ''];
      more = text(xml, 'IsTruncated') === 'true' && from[0] !== '';
    }
  }

  /** @returns the id of the upload */
  async beginUpload(key: string): Promise<string> {
    const xml = await this.#xml({ method: 'POST', key, query: [['uploads', '']], headers: { 'x-amz-checksum-algorithm': 'SHA256' } });
    return text(xml, 'UploadId') ?? '';
  }

  /** [] if the upload is unknown. */
  async parts(key: string, id: string): Promise<UploadedPart[]> {
    const parts: UploadedPart[] = [];
    for (let marker = '', more = true; more; ) {
      const next = marker === '' ? [] : [['part-number-marker', marker] as const];
      const answer = await this.#requests.ask({ method: 'GET', key, query: [['uploadId', id], ...next] }, [404]);
      if (answer.status === 404) return [];
      const xml = answer.body.toString('utf8');
      for (const one of elements(xml, 'Part'))
        parts.push({ number: Number(text(one, 'PartNumber')), etag: unquoted(text(one, 'ETag')), sha256: text(one, 'ChecksumSHA256') });
      marker = text(xml, 'NextPartNumberMarker') ?? '';
      more = text(xml, 'IsTruncated') === 'true' && marker !== '';
    }
    return parts;
  }

  async putPart(key: string, id: string, number: number, body: Uint8Array): Promise<UploadedPart> {
    const sha256 = createHash('sha256').update(body).digest('base64');
    const query = [['partNumber', String(number)] as const, ['uploadId', id] as const];
    const answer = await this.#requests.ask({ method: 'PUT', key, query, body, headers: { 'x-amz-checksum-sha256': sha256 } }, []);
    return { number, etag: digestsIn(answer).etag, sha256 };
  }

  /** @param parts in ascending order */
  async completeUpload(key: string, id: string, parts: readonly UploadedPart[]): Promise<'written' | 'exists'> {
    const rows = parts.map(({ number, etag, sha256 }) => {
      const checksum = sha256 === null ? '' : `<ChecksumSHA256>${sha256}</ChecksumSHA256>`;
      return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag ?? ''}"</ETag>${checksum}</Part>`;
    });
    const xml = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rows.join('')}</CompleteMultipartUpload>`;
    const headers = { 'content-type': 'application/xml' };
    return this.#write({ method: 'POST', key, query: [['uploadId', id]], body: Buffer.from(xml), headers }, 'new');
  }

  async abortUpload(key: string, id: string): Promise<void> {
    const last = this.#signal?.aborted ? { last: true as const } : {};
    await this.#requests.ask({ method: 'DELETE', key, query: [['uploadId', id]], ...last }, [404]);
  }

  async close(): Promise<void> {
    await this.#requests.close();
  }

  /** A request that makes an object: with `If-None-Match: *` where the store has it (RFC 9110 §13.1.2). */
  async #write(request: StoreRequest, over: 'new' | 'replace'): Promise<'written' | 'exists'> {
    const isNew = over === 'new' && this.#conditional;
    const headers = { ...request.headers, ...(isNew && { 'if-none-match': '*' }) };
    const answer = await this.#requests.ask({ ...request, headers }, isNew ? [412, 501] : []);
    if (answer.status === 412) return 'exists';
    if (answer.status !== 501) return 'written';
    this.#conditional = false;
    return this.#write(request, over);
  }

  async #xml(request: StoreRequest): Promise<string> {
    return (await this.#requests.ask(request, [])).body.toString('utf8');
  }
}

function digestsIn({ headers }: StoreAnswer): ObjectDigests {
  return { etag: unquoted(one(headers['etag'])), sha256: one(headers['x-amz-checksum-sha256']) };
}

function one(value: string | string[] | undefined): string | null {
  return [value].flat()[0] ?? null;
}

function unquoted(etag: string | null): string | null {
  return etag?.replaceAll('"', '') ?? null;
}

/** The contents of all elements of a name that does not nest. */
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of a name; null if there is none. */
function text(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  if (found === undefined) return null;
  return found.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
